import { writeEvents } from '../../../../lib/store/writing/write-events.ts'
import { startFaultProxy } from '../../../support/faults/fault-proxy.ts'
import { isWrite } from '../../../support/faults/faults.ts'
import { longBatch, makeEvent } from '../../../support/records/make-event.ts'
import { useEngine } from '../../../support/store/engine.ts'
import { localClient } from '../../../support/store/local-client.ts'

const engine = useEngine()
const MAX_REQUEST_BYTES = 16_000_000

test('the request for the largest record stays below what DynamoDB takes', async () => {
  const tableName = await engine.createEventsTable()
  let longest = 0
  const proxy = await startFaultProxy(engine.endpoint, (request, forward) => {
    if (isWrite(request)) longest = Math.max(longest, Buffer.byteLength(request.body))
    return forward()
  })
  const { tokenIds } = longBatch(26_000)
  const record = makeEvent('TransferBatch', { tokenIds, quantities: tokenIds })

  await writeEvents({ client: localClient(proxy.url, { maxAttempts: 1 }), tableName }, [record])
  await proxy.stop()

  // The longest request contains all ids, so it has at least one byte for each id.
  expect(longest).toBeGreaterThan(tokenIds.length)
  expect(longest).toBeLessThan(MAX_REQUEST_BYTES)
})
