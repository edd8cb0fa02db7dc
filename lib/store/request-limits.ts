/** The SDK's settings for a request's time limits, in milliseconds. The SDK retries a request that exceeds a limit. */
export const requestLimits = (limits: { connectionMs: number; answerMs: number }) => ({
  connectionTimeout: limits.connectionMs,
  requestTimeout: limits.answerMs,
  throwOnRequestTimeout: true,
  // `requestTimeout` limits only the wait for the headers. Without `socketTimeout`, an answer that stops half-way would
  // block a writer for hours, while the writer still renews its lease.
  socketTimeout: limits.answerMs,
})
