/**
 * Starts a function as Lambda does: loads only the function in a new process, and lets it answer one event. The event
 * comes at once, or after a pause in which the process is awake or frozen. After the answer, the process writes the
 * times of loading and answering to file descriptor 3.
 */
const { writeSync } = require('node:fs')

const [, , file, event, pause] = process.argv
/** In milliseconds. */
const PAUSE = 100
const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => 10_000 }
const begunAt = performance.now()
const { handler } = require(file)
const loadedAt = performance.now()
const loadedCpu = process.cpuUsage()

const ask = async () => {
  const askedAt = performance.now()
  const { statusCode } = await handler(JSON.parse(event), context)
  const answeredAt = performance.now()
  const answeredCpu = process.cpuUsage()
  const cpuMs = ({ user, system }) => (user + system) / 1000
  writeSync(
    3,
    JSON.stringify({
      statusCode,
      loadMs: loadedAt - begunAt,
      loadedMs: loadedAt,
      answeredMs: answeredAt,
      waitedMs: answeredAt - askedAt,
      loadedCpuMs: cpuMs(loadedCpu),
      answeredCpuMs: cpuMs(answeredCpu),
    }),
  )
  process.exit()
}
/** Stops the whole process, as Lambda's freeze does, but leaves its sockets open. */
const freeze = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)

if (pause === 'none') ask()
else if (pause === 'awake') setTimeout(ask, PAUSE)
else {
  // Freezes the process at the moment when Lambda's runtime would request the first event.
  setImmediate(() =>
    setImmediate(() => {
      freeze()
      ask()
    }),
  )
}
