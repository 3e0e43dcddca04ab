import type { TitleKey } from '#storage/title-key.ts'
import { startDownload } from './lazy.ts'
import { isQuotaExceeded } from '#storage/open.ts'
import { NetProblem } from '#net/problem.ts'
import { toast } from '#ui/toast.ts'
import { FAILURE_WORDS, NothingYet } from './model.ts'

export const pressDownload = (key: TitleKey): void => void startDownload(key).catch(explainFailure)

export function explainFailure(problem: unknown): void {
  if (problem instanceof NothingYet) toast(problem.words)
  else if (problem instanceof NetProblem) toast(wordsFor(problem))
  // Not even the title's record could be stored.
  else if (isQuotaExceeded(problem)) toast(FAILURE_WORDS.space)
  // Its code failed to load.
  else if (problem instanceof TypeError) toast('Needs a connection')
  else toast('This browser’s storage doesn’t answer. Reload this page and try again.')
}

function wordsFor({ status, unreachable }: NetProblem): string {
  if (status === 401) return 'Please log in again to download this title.'
  return unreachable ? 'Needs a connection' : FAILURE_WORDS.refused
}
