/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C API from C11: source text to numbers, diagnostics, several threads, and calls that are wrong. argv[1] is the folder of plugins.
 */
#include "tegula/tegula.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                          \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

static tegula_text_t text(const char *s) {
  tegula_text_t t = {s, strlen(s)};
  return t;
}
static int equals(tegula_text_t a, const char *b) { return a.size == strlen(b) && memcmp(a.data, b, a.size) == 0; }
static int contains(tegula_text_t a, const char *b) {
  for (uint64_t i = 0; i + strlen(b) <= a.size; ++i)
    if (memcmp(a.data + i, b, strlen(b)) == 0)
      return 1;
  return 0;
}

static const char *kScale = "import triton\n"
                            "import triton.language as tl\n"
                            "@triton.jit\n"
                            "def scale(x, out, n, factor, BLOCK: tl.constexpr):\n"
                            "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                            "    tl.store(out + i, tl.load(x + i, mask=i < n) * factor + OFFSET, mask=i < n)\n";

/* The kernel without OFFSET, which is no name of its module. */
static void source(char *to, size_t room, const char *offset) {
  const char *at = strstr(kScale, "OFFSET");
  snprintf(to, room, "%.*s%s%s", (int)(at - kScale), kScale, offset, at + 6);
}

static tegula_status_t compileScale(tegula_session_t *session, const char *code, tegula_program_t **program, tegula_messages_t *messages) {
  tegula_argument_spec_t arguments[4];
  tegula_pair_t defines[1] = {{text("BLOCK"), text("64")}};
  const char *names[4] = {"x", "out", "n", "factor"}, *types[4] = {"*fp32", "*fp32", "i32", "fp32"};
  tegula_text_t t = text(code);
  tegula_compile_options_t options;
  memset(arguments, 0, sizeof arguments);
  for (int i = 0; i < 4; ++i) {
    arguments[i].struct_size = sizeof arguments[i];
    arguments[i].name = text(names[i]);
    arguments[i].kind = i < 2 ? TEGULA_ARGUMENT_POINTER : TEGULA_ARGUMENT_SCALAR;
    arguments[i].type = text(types[i]);
    arguments[i].divisibility = i < 2 ? 16 : 1;
  }
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.path = text("scale.py");
  options.text = &t;
  options.kernel = text("scale");
  options.target = text("reference");
  options.arguments = arguments;
  options.argument_count = 4;
  options.defines = defines;
  options.define_count = 1;
  return tegula_compile(session, &options, program, messages);
}

static void runScale(tegula_session_t *session, const tegula_program_t *program) {
  enum { kCount = 100 };
  float in[kCount], out[kCount], factor = 3;
  tegula_runtime_t *runtime = NULL;
  tegula_memory_t *memories[2] = {NULL, NULL};
  tegula_value_t values[4];
  tegula_launch_options_t launch;
  tegula_launch_result_t result;
  for (int i = 0; i < kCount; ++i)
    in[i] = (float)i;
  CHECK(tegula_runtime_open(session, text("reference"), 0, &runtime, NULL) == TEGULA_STATUS_OK);
  for (int i = 0; i < 2; ++i) {
    tegula_memory_options_t options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.size = sizeof in;
    options.name = text(i ? "out" : "x");
    options.flags = i ? TEGULA_MEMORY_UNDEFINED | TEGULA_MEMORY_OUTPUT : TEGULA_MEMORY_READ_ONLY;
    CHECK(tegula_memory_create(runtime, &options, &memories[i], NULL) == TEGULA_STATUS_OK);
  }
  CHECK(tegula_memory_write(memories[0], 0, in, sizeof in, NULL) == TEGULA_STATUS_OK);
  CHECK(tegula_memory_write(memories[0], 4, in, sizeof in, NULL) == TEGULA_STATUS_USAGE);
  memset(values, 0, sizeof values);
  for (int i = 0; i < 4; ++i)
    values[i].struct_size = sizeof values[i];
  values[0].name = text("x"), values[0].memory = memories[0];
  values[1].name = text("out"), values[1].memory = memories[1];
  values[2].name = text("n"), values[2].bits = kCount;
  values[3].name = text("factor");
  memcpy(&values[3].bits, &factor, sizeof factor);
  memset(&launch, 0, sizeof launch);
  launch.struct_size = sizeof launch;
  launch.grid[0] = 2, launch.grid[1] = launch.grid[2] = 1;
  launch.values = values;
  launch.value_count = 4;
  launch.repeat = 2;
  memset(&result, 0, sizeof result);
  result.struct_size = sizeof result;
  CHECK(tegula_launch(runtime, program, &launch, &result, NULL) == TEGULA_STATUS_OK);
  CHECK(result.median_ms > 0);
  CHECK(tegula_memory_read(memories[1], 0, out, sizeof out, NULL) == TEGULA_STATUS_OK);
  for (int i = 0; i < kCount; ++i)
    CHECK(out[i] == 3 * (float)i + 1);

  tegula_messages_t *messages = tegula_messages_create();
  launch.value_count = 3;
  CHECK(tegula_launch(runtime, program, &launch, NULL, messages) == TEGULA_STATUS_INPUT);
  launch.value_count = 4;
  launch.grid[1] = 0;
  CHECK(tegula_launch(runtime, program, &launch, NULL, messages) == TEGULA_STATUS_INPUT);
  launch.grid[1] = 1;
  values[2].bits = kCount + 28; /* beyond both buffers */
  CHECK(tegula_launch(runtime, program, &launch, NULL, messages) == TEGULA_STATUS_FINDING);
  CHECK(tegula_messages_count(messages) >= 3);

  /* What another runtime made is refused, on this one's device too. */
  tegula_runtime_t *other = NULL;
  values[2].bits = kCount;
  CHECK(tegula_runtime_open(session, text("reference"), 0, &other, NULL) == TEGULA_STATUS_OK);
  CHECK(tegula_launch(other, program, &launch, NULL, messages) == TEGULA_STATUS_USAGE);
  tegula_memory_options_t options;
  tegula_memory_t *foreign = NULL;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.size = sizeof in;
  CHECK(tegula_memory_create(other, &options, &foreign, NULL) == TEGULA_STATUS_OK);
  CHECK(tegula_memory_copy(foreign, 0, memories[0], 0, sizeof in, messages) == TEGULA_STATUS_USAGE);
  CHECK(tegula_memory_copy(memories[0], UINT64_MAX, memories[0], 0, 4, messages) == TEGULA_STATUS_USAGE);
  tegula_memory_destroy(foreign);
  tegula_runtime_close(other);
  tegula_messages_destroy(messages);
  for (int i = 0; i < 2; ++i)
    tegula_memory_destroy(memories[i]);
  tegula_runtime_close(runtime);
}

static void checkDiagnostics(tegula_session_t *session) {
  char code[512];
  tegula_program_t *program = NULL;
  tegula_messages_t *messages = tegula_messages_create();
  tegula_message_t message;
  source(code, sizeof code, "offset");
  CHECK(compileScale(session, code, &program, messages) == TEGULA_STATUS_INPUT);
  CHECK(program == NULL);
  CHECK(tegula_messages_count(messages) == 1);
  memset(&message, 0, sizeof message);
  message.struct_size = sizeof message;
  CHECK(tegula_messages_get(messages, 0, &message) == TEGULA_STATUS_OK);
  CHECK(message.severity == TEGULA_MESSAGE_ERROR);
  CHECK(equals(message.code, "F2101"));
  CHECK(equals(message.place.file, "scale.py"));
  CHECK(message.place.line == 6);
  CHECK(contains(tegula_messages_render(messages, 0, TEGULA_RENDER_TEXT), "^~~~~~"));
  CHECK(contains(tegula_messages_render(messages, 0, TEGULA_RENDER_JSON), "\"code\":\"F2101\""));
  CHECK(tegula_messages_render(messages, 7, TEGULA_RENDER_TEXT).size == 0);
  /* A caller that knows only the first three members gets no more than those. */
  struct {
    uint64_t struct_size;
    uint32_t severity, note_count;
    uint64_t guard;
  } small = {16, 0, 0, 0x5555};
  CHECK(tegula_messages_get(messages, 0, (tegula_message_t *)&small) == TEGULA_STATUS_OK);
  CHECK(small.severity == TEGULA_MESSAGE_ERROR && small.guard == 0x5555 && small.struct_size == 16);
  tegula_messages_destroy(messages);
}

static void checkMisuse(tegula_session_t *session) {
  tegula_program_t *program = NULL;
  tegula_session_t *other = NULL;
  tegula_compile_options_t options;
  memset(&options, 0, sizeof options);
  CHECK(tegula_compile(session, &options, &program, NULL) == TEGULA_STATUS_USAGE);
  CHECK(tegula_compile(session, NULL, &program, NULL) == TEGULA_STATUS_USAGE);
  CHECK(tegula_compile(NULL, &options, &program, NULL) == TEGULA_STATUS_USAGE);
  tegula_session_options_t none;
  memset(&none, 0, sizeof none);
  CHECK(tegula_session_create(&none, &other, NULL) == TEGULA_STATUS_USAGE);
  tegula_text_t name;
  CHECK(tegula_session_resolve_target(session, text("no_such"), &name, NULL) == TEGULA_STATUS_NO_TARGET);
  tegula_session_destroy(NULL);
  tegula_program_destroy(NULL);
  tegula_runtime_close(NULL);
  tegula_memory_destroy(NULL);
  tegula_messages_destroy(NULL);
}

static void *compileManyTimes(void *session) {
  char code[512];
  source(code, sizeof code, "1");
  for (int i = 0; i < 20; ++i) {
    tegula_program_t *program = NULL;
    if (compileScale(session, code, &program, NULL) != TEGULA_STATUS_OK)
      return "failed";
    tegula_program_destroy(program);
  }
  return NULL;
}

int main(int argc, char **argv) {
  char code[512];
  tegula_session_t *session = NULL;
  tegula_program_t *program = NULL;
  tegula_text_t folder = text(argc > 1 ? argv[1] : "."), bytes, json;
  tegula_session_options_t options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.plugin_folders = &folder;
  options.plugin_folder_count = 1;
  CHECK(tegula_session_create(&options, &session, NULL) == TEGULA_STATUS_OK);
  CHECK(tegula_session_describe(session, &json, NULL) == TEGULA_STATUS_OK);
  CHECK(contains(json, "\"reference\""));

  source(code, sizeof code, "1");
  CHECK(compileScale(session, code, &program, NULL) == TEGULA_STATUS_OK);
  if (program) {
    tegula_program_info_t info;
    tegula_parameter_info_t parameter;
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    memset(&parameter, 0, sizeof parameter);
    parameter.struct_size = sizeof parameter;
    CHECK(tegula_program_get_info(program, &info) == TEGULA_STATUS_OK);
    CHECK(equals(info.kernel, "scale") && info.parameter_count == 5 && info.num_warps == 4);
    CHECK(contains(info.record, "\"entry\":\"scale\""));
    CHECK(tegula_program_get_parameter(program, 4, &parameter) == TEGULA_STATUS_OK);
    CHECK(parameter.folded && equals(parameter.name, "BLOCK") && equals(parameter.constant, "64"));
    CHECK(tegula_program_get_parameter(program, 5, &parameter) == TEGULA_STATUS_USAGE);
    CHECK(tegula_program_get_stage(program, text("kir"), &bytes, NULL) == TEGULA_STATUS_OK && bytes.size % 4 == 0);
    CHECK(tegula_program_get_stage(program, text("tile"), &bytes, NULL) == TEGULA_STATUS_INPUT);
    runScale(session, program);
  }
  checkDiagnostics(session);
  checkMisuse(session);

  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    CHECK(pthread_create(&threads[i], NULL, compileManyTimes, session) == 0);
  for (int i = 0; i < 4; ++i) {
    void *fault = NULL;
    pthread_join(threads[i], &fault);
    CHECK(fault == NULL);
  }
  tegula_program_destroy(program);
  tegula_session_destroy(session);
  printf("%d failures\n", failures);
  return failures != 0;
}
