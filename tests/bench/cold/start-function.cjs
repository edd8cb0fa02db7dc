/**
 * Starts as a Lambda does: loads the function in a fresh process, and has it answer one event, at once or after
 * a pause, awake or frozen. No more than this is loaded beside it. Writes to descriptor 3 when it was loaded and when it had answered.
 */
const { writeSync } = require('node:fs')

const [, , file, event, pause, compileCache] = process.argv
/** Milliseconds. */
const PAUSE = 100
if (compileCache) require('node:module').enableCompileCache(compileCache)
const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => 10_000 }
const begunAt = performance.now()
const { handler } = require(file)
const loadedAt = performance.now()
const loadedCpu = process.cpuUsage()

const ask = async () => {
  const askedAt = performance.now()
  const { statusCode, body } = await handler(JSON.parse(event), context)
  const answeredAt = performance.now()
  const answeredCpu = process.cpuUsage()
  const cpuMs = ({ user, system }) => (user + system) / 1000
  writeSync(
    3,
    JSON.stringify({
      statusCode,
      bodyBytes: body.length,
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
/** Nothing of the process runs, as where Lambda freezes it; its sockets are open still. */
const freeze = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)

if (pause === 'none') ask()
else if (pause === 'awake') setTimeout(ask, PAUSE)
else {
  // As soon as Lambda's runtime has asked for the first event.
  setImmediate(() =>
    setImmediate(() => {
      freeze()
      ask()
    }),
  )
}
