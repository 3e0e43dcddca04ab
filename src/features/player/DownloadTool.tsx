import { useEffect, useRef } from 'react'
import { FAILURE_WORDS } from '#features/downloads/failure-words.ts'
import { removeDownload } from '#features/downloads/lazy.ts'
import { isMuch, isRunning, type Download } from '#features/downloads/model.ts'
import { pressDownload } from '#features/downloads/press-download.ts'
import { announce } from '#ui/announce.ts'
import { DownloadGlyph } from '#ui/DownloadRing.tsx'
import { toast } from '#ui/toast.ts'
import type { Playable } from './model.ts'
import { Tool } from './Tool.tsx'
import styles from './Tools.module.css'
import { useTitleDownload } from './use-player.ts'

interface DownloadToolProps {
  title: Playable
  /** Much of it is here already: its listener is asked. */
  onStop: () => void
}

/** Download, stop, or know that it is here; removing is the downloads page's business. */
export function DownloadTool({ title, onStop }: DownloadToolProps) {
  const download = useTitleDownload(title)
  const { key, state, share, failure } = download
  const running = isRunning(download)
  // Don't announce failures from an earlier day. On a full device a press fails without ever running.
  const isAwaited = useRef(false)
  useEffect(() => {
    if (isAwaited.current && state === 'failed' && failure) announce(FAILURE_WORDS[failure])
    isAwaited.current = running
  }, [running, state, failure])
  const words = downloadWords(download)
  const press = () => {
    if (running && isMuch(download)) onStop()
    else if (running) void removeDownload(key)
    else if (state === 'done') toast('Saved for the train.')
    else {
      isAwaited.current = true
      pressDownload(key)
    }
  }
  return (
    <>
      <Tool label={LABELS[state](words)} onPress={press}>
        <DownloadGlyph state={state === 'waiting' ? 'downloading' : state} share={share} size={24} />
        {words}
      </Tool>
      {state === 'failed' && failure && <p className={styles.failure}>{FAILURE_WORDS[failure]}</p>}
    </>
  )
}

const downloadWords = ({ state, share }: Download): string => {
  const percent = `${Math.floor(share * 100)}%`
  return { none: 'Download', waiting: percent, downloading: percent, done: 'Saved', failed: 'Try again' }[
    state
  ]
}

const stop = (words: string) => `${words}, stop download`
const LABELS: Record<Download['state'], (words: string) => string> = {
  none: () => 'Download book',
  waiting: stop,
  downloading: stop,
  done: () => 'Saved on this device',
  failed: () => 'Try again to download',
}
