import type { TitleKey } from '#storage/title-key.ts'
import { explainFailure } from './explain-failure.ts'
import { startDownload } from './lazy.ts'

/** Download was pressed: starts it, or says why not. */
export const pressDownload = (key: TitleKey): void => void startDownload(key).catch(explainFailure)
