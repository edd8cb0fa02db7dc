import { type AbiParameter, BaseError, decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'
import { buildRecord, type DecodedLog } from './build-record.ts'
import { DECODERS, type EventDecoder, type EventDecoders } from './event-decoders.ts'
import { type RawLog, rejected } from './raw-log.ts'

/**
 * Decodes a log into the record of its event, or returns why the log is rejected. Encoding the decoded values must
 * reproduce the log's topics and data. A log is therefore rejected if its contract indexes different parameters of the
 * same event, or if the topic of an address parameter is not an address. A log is also rejected if its data is
 * truncated, too long or in a non-standard encoding, or if `buildRecord` rejects the log.
 */
export function decodeLog(log: RawLog, decoders: EventDecoders = DECODERS): DecodedLog {
  const topic = log.topics[0]
  if (topic === undefined) return rejected('unknown-event', 'a log without topics is not a known event')
  const known = decoders.get(topic) ?? []
  if (known.length === 0) return rejected('unknown-event', `no known event has the topic ${topic}`)

  const sameShape = known.filter(({ indexed }) => indexed.length === log.topics.length - 1)
  if (sameShape.length === 0) {
    const { length } = log.topics
    const found = `a log with ${length} ${length === 1 ? 'topic' : 'topics'} does not fit`
    return rejected('other-parameters', `${found} ${signaturesOf(known)}`)
  }
  const [fitting, ...others] = sameShape.flatMap(decoder => {
    const values = decodeValues(decoder, log)
    return values ? [{ decoder, values }] : []
  })
  if (!fitting) {
    return rejected('bad-encoding', `topics and data are not encoded as in ${signaturesOf(sameShape)}`)
  }
  if (others.length > 0)
    return rejected('other-parameters', `the log fits several events: ${signaturesOf(sameShape)}`)
  return buildRecord(log, fitting)
}

const signaturesOf = (decoders: readonly EventDecoder[]) =>
  decoders.map(({ known }) => known.signature.replace(/^event /, '')).join(' or ')

function decodeValues({ indexed, unindexed }: EventDecoder, log: RawLog): unknown[] | undefined {
  const [, ...topics] = log.topics
  const inTopics = decodeExactly(indexed, `0x${topics.map(topic => topic.slice(2)).join('')}`)
  const inData = inTopics && decodeExactly(unindexed, log.data as Hex)
  return inData && [...inTopics, ...inData]
}

/** Undefined if encoding the values again does not reproduce `encoded`. */
function decodeExactly(parameters: readonly AbiParameter[], encoded: Hex): readonly unknown[] | undefined {
  if (parameters.length === 0) return encoded === '0x' ? [] : undefined
  try {
    const values = decodeAbiParameters(parameters, encoded)
    return encodeAbiParameters(parameters, values) === encoded ? values : undefined
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}
