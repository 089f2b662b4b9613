// An error in OpenAI's form: {"error":{"message","type","param","code"}}, with the status that goes with it. The one
// place where an ErrorCode becomes a status. Refuses to know how the error came about. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/http.h"

namespace sluice::api::openai {

int status_of(ErrorCode code);
// Clients branch on `code`; `invalid` of a field has "invalid_value", an unknown model "model_not_found".
std::string_view code_of(const Error& error);
std::string error_body(int status, const Error& error);  // where the status is given: what http/ refuses
http::Response error_response(const Error& error);       // with Retry-After where the same request works later

}  // namespace sluice::api::openai
