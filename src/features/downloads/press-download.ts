import type { TitleKey } from '#storage/title-key.ts'
import { startDownload } from './lazy.ts'
import { isQuotaExceeded } from '#storage/open.ts'
import { NetProblem } from '#net/problem.ts'
import { toast } from '#ui/toast.ts'
import { FAILURE_WORDS, NothingYet } from './model.ts'

/** Download was pressed: starts it, or says why not. */
export const pressDownload = (key: TitleKey): void => void startDownload(key).catch(explainFailure)

/** Says why a press on Download began nothing. */
export function explainFailure(problem: unknown): void {
  if (problem instanceof NothingYet) toast(problem.words)
  else if (problem instanceof NetProblem) toast(wordsFor(problem))
  // Not even its name could be written down.
  else if (isQuotaExceeded(problem)) toast(FAILURE_WORDS.space)
  // The code for it did not load.
  else if (problem instanceof TypeError) toast('Needs a connection')
  else toast('This browser’s storage doesn’t answer. Reload this page and try again.')
}

function wordsFor({ status, unreachable }: NetProblem): string {
  if (status === 401) return 'Please log in again to download this title.'
  return unreachable ? 'Needs a connection' : FAILURE_WORDS.refused
}
