import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { TitleKey } from '#storage/title-key.ts'
import { bytes } from '#format/bytes.ts'
import { announce } from '#ui/announce.ts'
import { DownloadRing } from '#ui/DownloadRing.tsx'
import { toast } from '#ui/toast.ts'
import { removeDownload } from './lazy.ts'
import { FAILURE_WORDS } from './model.ts'
import { isMuch, isRunning } from './model.ts'
import { pressDownload } from './press-download.ts'
import { useDownload } from './store.ts'

const RemoveQuestion = lazyPart(() => import('./RemoveQuestion.tsx'), 'RemoveQuestion')

interface DownloadButtonProps {
  titleKey: TitleKey
  of: string
  tone?: 'page' | 'title'
  className?: string | undefined
}

/** One ring to download, stop, retry, or ask whether to remove. Every tenth of the progress is announced. */
export function DownloadButton({ titleKey: key, of, tone = 'page', className }: DownloadButtonProps) {
  const download = useDownload(key)
  const { state, share, failure, totalBytes } = download
  const spoken = useRef({ state, tenth: Math.floor(share * 10) })
  /** Pressed on this page: a device without room can fail before any progress was shown. */
  const asked = useRef(false)
  /** Undefined until the question is first asked: its code is loaded then. */
  const [asking, setAsking] = useState<boolean>()

  useEffect(() => {
    const before = spoken.current
    const tenth = Math.floor(share * 10)
    spoken.current = { state, tenth }
    if (state === 'downloading' && tenth > before.tenth && tenth < 10)
      announce(`${of}: ${tenth * 10} per cent`)
    if (state === 'done' && before.state !== 'done' && before.state !== 'none') {
      announce(`${of} is downloaded, ${bytes(totalBytes)}`)
    }
    // An earlier failure is shown, but not announced again.
    const underWay = isRunning(before) || asked.current
    if (state === 'failed' && before.state !== 'failed' && underWay && failure) toast(FAILURE_WORDS[failure])
  }, [state, share, failure, totalBytes, of])

  const press = () => {
    asked.current = true
    if (state === 'none' || state === 'failed') pressDownload(key)
    else if (isMuch(download)) setAsking(true)
    else void removeDownload(key)
  }
  return (
    <>
      <DownloadRing {...{ state, share, of, tone, className }} onClick={press} />
      {asking !== undefined && (
        <Suspense>
          <RemoveQuestion open={asking} onOpenChange={setAsking} titleKey={key} of={of} />
        </Suspense>
      )}
    </>
  )
}
