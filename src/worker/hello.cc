#include "worker/hello.h"

#include "base/build.h"
#include "proto/framing.h"

namespace sluice::worker {

proto::Hello hello_message(const Adapter& adapter, const char* role) {
  proto::Hello hello;
  hello.set_protocol(proto::kProtocolVersion);
  hello.set_build(build_id());
  hello.set_role(role);
  hello.set_runtime(adapter.name);
  hello.set_runtime_version(adapter.runtime_version);
  return hello;
}

}  // namespace sluice::worker
