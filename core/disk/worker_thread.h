// A thread that runs one task at a time for its owner, which continues meanwhile.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace seamark {

class WorkerThread {
 public:
  WorkerThread() : thread_([this] { run(); }) {}
  ~WorkerThread() {
    {
      const std::lock_guard lock(mutex_);
      is_closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  // Only after the previous task has finished.
  void begin(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      task_ = std::move(task);
    }
    changed_.notify_all();
  }

  // Waits for the task and rethrows its exception. Returns at once if there is no task.
  void finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !task_; });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return task_ || is_closing_; });
      if (!task_) return;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        task_();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      thrown_ = thrown;
      task_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;  // empty once it is done
  std::exception_ptr thrown_;
  bool is_closing_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace seamark
