/**
 * A process with one warm function. Each message has an event and a number of requests. The function answers the event
 * this many times, one after the other. The process then sends the average cost of a request.
 */
const { argv, cpuUsage, memoryUsage, resourceUsage } = process

const { handler } = require(argv[2])
const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => 10_000 }

process.on('message', async ({ event, requests }) => {
  const before = cpuUsage()
  const begunAt = performance.now()
  let bodyBytes = 0
  for (let request = 0; request < requests; request += 1) {
    const { statusCode, body } = await handler(event, context)
    if (statusCode !== 200) throw new Error(`The function answers ${statusCode}: ${body}`)
    bodyBytes = body.length
  }
  const { user, system } = cpuUsage(before)
  const ms = performance.now() - begunAt
  globalThis.gc?.()
  process.send({
    cpuMs: (user + system) / 1000 / requests,
    ms: ms / requests,
    bodyBytes,
    heapMb: memoryUsage().heapUsed / 2 ** 20,
    peakMb: resourceUsage().maxRSS / 1024,
  })
})
process.once('disconnect', () => process.exit())
