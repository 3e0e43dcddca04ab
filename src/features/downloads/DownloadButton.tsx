import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { TitleKey } from '#device/title-key.ts'
import { bytes } from '#format/bytes.ts'
import { announce } from '#ui/announce.ts'
import { DownloadRing } from '#ui/DownloadRing.tsx'
import { toast } from '#ui/toast.ts'
import { removeDownload, startDownload } from './door.ts'
import { explainFailure } from './explain-failure.ts'
import { FAILURE_WORDS } from './failure-words.ts'
import { useDownload } from './store.ts'

const RemoveQuestion = lazy(async () => ({
  default: (await import('./RemoveQuestion.tsx')).RemoveQuestion,
}))

/** A download that has come this far is not thrown away by one press. */
const ASKED_FROM = 0.1

interface DownloadButtonProps {
  titleKey: TitleKey
  /** Names the title for those who cannot see what it stands beside. */
  of: string
  tone?: 'page' | 'title'
}

/** Download, stop, try again, or ask whether to remove: one ring. Progress is spoken every tenth. */
export function DownloadButton({ titleKey: key, of, tone = 'page' }: DownloadButtonProps) {
  const { state, share, failure, bytes: held, totalBytes } = useDownload(key)
  const spoken = useRef({ state, tenth: Math.floor(share * 10) })
  /** Pressed here: a device without room fails before anything was seen to be under way. */
  const asked = useRef(false)
  /** Undefined until the question was first put: it is loaded then. */
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
    const underWay = before.state === 'downloading' || before.state === 'waiting' || asked.current
    if (state === 'failed' && before.state !== 'failed' && underWay && failure) toast(FAILURE_WORDS[failure])
  }, [state, share, failure, totalBytes, of])

  const press = () => {
    asked.current = true
    const isMuch = state === 'done' || share >= ASKED_FROM
    if (state === 'none' || state === 'failed') void startDownload(key).catch(explainFailure)
    else if (isMuch) setAsking(true)
    else void removeDownload(key)
  }
  return (
    <>
      <DownloadRing state={state} share={share} of={of} tone={tone} onClick={press} />
      {asking !== undefined && (
        <Suspense>
          <RemoveQuestion
            open={asking}
            of={of}
            heldBytes={held}
            whole={state === 'done'}
            onOpenChange={setAsking}
            onRemove={() => void removeDownload(key).then(() => offerAgain(key, of))}
          />
        </Suspense>
      )}
    </>
  )
}

const offerAgain = (key: TitleKey, of: string) =>
  toast(`${of} is no longer on this device`, {
    action: { label: 'Download again', onPress: () => void startDownload(key).catch(explainFailure) },
  })
