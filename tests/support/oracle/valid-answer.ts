import type { EventRecord } from '../../../lib/events/record.ts'
import type { ApiRequest } from '../requests/api-request.ts'
import { answer, type Finality } from './oracle.ts'

export function validAnswer(records: readonly EventRecord[], request: ApiRequest, finality: Finality = {}) {
  const answered = answer(records, request, finality)
  if (answered.status !== 200)
    throw new Error(`${answered.parameters} are not valid in ${JSON.stringify(request)}`)
  return answered
}
