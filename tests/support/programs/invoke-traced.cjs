/** Loads a bundled function and invokes it with each payload and trace header that it is given. */
const { setImmediate } = require('node:timers/promises')

const [file, invocations] = process.argv.slice(2)
const { handler } = require(file)

async function invokeAll() {
  for (const { payload, traceHeader } of JSON.parse(invocations)) {
    process.env._X_AMZN_TRACE_ID = traceHeader
    const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => 900_000 }
    await handler(payload, context).catch(() => 'is seen in the trace')
    await setImmediate()
  }
}

invokeAll()
