/** For modules that run in a worker: nothing here loads any part of the page. */

export { serveJobs } from "../base/worker_jobs";
