import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { keyOfReady } from '#storage/ready-plan.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { useOnline } from '#net/use-online.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { DownloadGlyph } from '#ui/DownloadRing.tsx'
import { Icon } from '#ui/Icon.tsx'
import { changeWish, openReady, useReady } from './keep-ready.ts'
import { readyFigures, readyWords, type ReadyPhase } from './model.ts'
import styles from './ready.module.css'

const ReadySheet = lazyPart(() => import('./ReadySheet.tsx'), 'ReadySheet')

/**
 * A row of the library that offers to prepare titles, then shows how much is ready and opens the settings.
 */
export function ReadyRow({ owner }: { owner: string }) {
  const queryClient = useQueryClient()
  const { wish, phase, owner: known } = useReady()
  const [open, setOpen] = useState<boolean>()
  useEffect(() => void openReady(queryClient, owner).catch(() => undefined), [queryClient, owner])
  const isStored = useIsStored()
  const figures = readyFigures(wish.plan, isStored)
  const online = useOnline()
  const missing = wish.plan.filter((title) =>
    title.chapters.some(({ chapter }) => !isStored(keyOfReady(title), chapter)),
  )
  const { head, more } = readyWords(phase, wish.plan, figures, online, missing)
  const isReady = wish.plan.length > 0 && missing.length === 0
  useSaidOnce(phase, head)
  if (known !== owner) return <div className={styles.empty} aria-hidden="true" />
  const total = figures.readySeconds + figures.missingSeconds

  // Nothing can be fetched without a network.
  if (!wish.on && !online) return null
  if (!wish.on)
    return (
      <div className={styles.before}>
        <p>
          <span className={styles.head}>Going offline?</span>
          <span className={styles.more}>Your next {wish.hours} hours, saved on this device.</span>
        </p>
        <Button look="quiet" onClick={() => void changeWish(queryClient, owner, { on: true })}>
          Get {wish.hours} hours ready
        </Button>
      </div>
    )
  const state = isReady
    ? 'done'
    : phase === 'failed'
      ? 'failed'
      : phase === 'looking'
        ? 'waiting'
        : 'downloading'
  return (
    <>
      <button
        type="button"
        className={styles.row}
        data-ready={isReady}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <DownloadGlyph state={state} share={total > 0 ? figures.readySeconds / total : 0} />
        <span>
          <span className={styles.head}>{head}</span>
          {more && <span className={styles.more}>{more}</span>}
        </span>
        <Icon of={CaretRightIcon} size={20} />
      </button>
      <Suspense>
        {open !== undefined && <ReadySheet owner={owner} open={open} onOpenChange={setOpen} />}
      </Suspense>
    </>
  )
}

function useIsStored(): (key: TitleKey, chapter: number) => boolean {
  const byTitle = useDownloadsStore((store) => store.byTitle)
  return (key, chapter) => byTitle.get(key)?.stored.has(chapter) ?? false
}

/** Announces completion if the row was shown while it ran. */
function useSaidOnce(phase: ReadyPhase, words: string): void {
  const waited = useRef(false)
  useEffect(() => {
    if (phase === 'getting') waited.current = true
    if (phase !== 'ready' || !waited.current) return
    waited.current = false
    announce(words)
  }, [phase, words])
}
