/** The time, once a second, for ages and for "is this run being written?". */

/** A run that wrote within this time is taken to be running. */
const LIVE_SECS = 15;

export class Clock {
  now = $state(Date.now());

  run(): () => void {
    const timer = setInterval(() => (this.now = Date.now()), 1000);
    return () => clearInterval(timer);
  }

  isRecent(wallTime: number | null): boolean {
    return wallTime !== null && this.now / 1000 - wallTime < LIVE_SECS;
  }
}
