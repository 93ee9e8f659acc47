#include "disk/worker_thread.h"

#include <stdexcept>

#include "testing/testing.h"

namespace seamark {
namespace {

TEST(a_worker_runs_one_task_after_the_other) {
  WorkerThread worker;
  worker.finish();
  int sum = 0;
  for (int number = 1; number <= 100; ++number) {
    worker.begin([&sum, number] { sum += number; });
    worker.finish();
  }
  CHECK(sum == 5050);
}

TEST(an_exception_of_a_task_is_rethrown_once_by_finish) {
  WorkerThread worker;
  worker.begin([] { throw std::runtime_error("no"); });
  CHECK_THROWS(std::runtime_error, worker.finish());
  worker.finish();
}

TEST(a_worker_finishes_its_task_before_it_ends) {
  bool is_done = false;
  {
    WorkerThread().begin([&is_done] { is_done = true; });
  }
  CHECK(is_done);
}

}  // namespace
}  // namespace seamark
