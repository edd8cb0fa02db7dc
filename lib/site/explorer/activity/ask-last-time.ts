import type { EventsClient } from '../../../client/create-events-client.ts'
import type { Question } from '../question/question.ts'
import { requestOf } from '../question/request-of.ts'
import { askFirst } from './ask-page.ts'
import { secondsOf } from './read-activity.ts'

/** Returns the time of the question's last event in Unix seconds. Undefined if no event matches. */
export async function askLastTime(question: Question, client: EventsClient): Promise<number | undefined> {
  const request = requestOf(question, { createdAt: 'desc' })
  const { signal } = new AbortController()
  const last = await askFirst(request, { client, signal })
  return last && secondsOf(last)
}
