import type { Question } from '../question/question.ts'
import { subjectOf } from '../question/subject-of.ts'
import { shortHex, shortNumber } from './short-texts.ts'

const SERVICE = 'Blockchain events'

/** What a tab or a bookmark of the question is called. */
export function titleOf(question: Question): string {
  const { name, text, tokenId } = subjectOf(question)
  if (text === '') return `${name} · ${SERVICE}`
  return `${name} ${shortHex(text)}${tokenId && ` #${shortNumber(tokenId)}`} · ${SERVICE}`
}
