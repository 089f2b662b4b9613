#include "config/model_file.h"

#include <gtest/gtest.h>

#include "config/test_folder.h"

namespace sluice::config {
namespace {

TEST(FindModel, TakesAFileThatIsThere) {
  const TestFolder folder;
  const std::string file = folder.write("a.gguf", "GGUF");
  EXPECT_EQ(find_model(file, {}), file);
}

TEST(FindModel, SaysWhatIsWrongWithThePath) {
  const TestFolder folder;
  const auto message = [](const std::string& path) { return find_model(path, {}).error().message; };
  EXPECT_EQ(message("/no/such.gguf"), "cannot load '/no/such.gguf': there is no such file");
  EXPECT_EQ(message(folder.path().string()),
            "cannot load '" + folder.path().string() + "': it is a folder; name the .gguf file in it");
  EXPECT_EQ(message("/dev/null"), "cannot load '/dev/null': it is not a regular file");
}

TEST(FindModel, LooksForTheDefaultModelFolderByFolder) {
  const TestFolder folder;
  const std::string file = folder.write(std::string("second/") + kDefaultModel, "GGUF");
  EXPECT_EQ(find_model("", {folder.path() / "first", folder.path() / "second"}), file);
}

TEST(FindModel, NamesTheCommandThatFetchesTheDefaultModel) {
  const auto missing = find_model("", {"/nowhere", "/else"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "no MODEL was given, and the default model SmolLM2-135M-Instruct.Q4_1.gguf is not in /nowhere, /else; "
            "`make serve` or `scripts/fetch-model.sh` fetches it");
}

TEST(ModelFolders, BeginWithTheCheckoutThatTheBinaryWasBuiltIn) {
  const auto folders = model_folders("/src/sluice/build/bin");
  ASSERT_EQ(folders.size(), 2u);
  EXPECT_EQ(folders[0], "/src/sluice/models");
  EXPECT_EQ(folders[1], "models");
}

}  // namespace
}  // namespace sluice::config
