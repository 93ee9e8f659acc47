#include "disk/read_pipeline.h"

#include <stdexcept>

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::event_of;
using testing::File;
using testing::Message;

namespace {

TEST(a_read_that_throws_leaves_no_stripe_behind_in_the_pipeline) {
  ReadPipeline pipeline;
  File file;
  file.add(event_of(1, 1, Message().bytes(1, "loss").fixed32(2, 1)));
  Scanner scanner(1);
  scanner.scan(file.view(), 0);
  std::vector<Block> stripes;
  pipeline.builder.take(scanner, stripes);
  pipeline.reader.begin([] { throw std::runtime_error("no"); });
  pipeline.wait_until_idle();
  pipeline.builder.finish(stripes);
  CHECK(stripes.empty());
  pipeline.reader.finish();
}

}  // namespace
}  // namespace seamark
