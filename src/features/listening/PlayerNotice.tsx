import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useListeningStore } from './store.ts'
import { usePlayer } from '#features/player/store.ts'
import type { PlayingElsewhere } from './model.ts'
import { chapterAt, type Playable } from '#features/player/model.ts'
import { useTitleNames } from './queries.ts'
import { DeviceMobileIcon } from '@phosphor-icons/react/dist/csr/DeviceMobile'
import { chapterInWords } from '#format/chapter.ts'
import { clock } from '#format/clock.ts'
import { Icon } from '#ui/Icon.tsx'
import styles from './listening.module.css'

const Question = lazyPart(() => import('./TwoPlaces.tsx'), 'TwoPlacesQuestion')

/** The card above the player's cover: where playback moved to, otherwise the two-places question. */
export function PlayerNotice({ slug }: { slug: string }) {
  const elsewhere = useListeningStore((state) => state.elsewhere)
  const question = useListeningStore((state) =>
    state.putOff?.has(slug) ? undefined : state.twoPlaces.find((one) => one.slug === slug),
  )
  const title = usePlayer((store) => store.state.title)
  if (elsewhere && title) return <ElsewhereNotice elsewhere={elsewhere} title={title} />
  if (!question) return null
  return (
    <Suspense>
      <Question question={question} named={false} />
    </Suspense>
  )
}

function ElsewhereNotice({ elsewhere, title }: { elsewhere: PlayingElsewhere; title: Playable }) {
  const isSame = elsewhere.slug === title.slug
  const names = useTitleNames(isSame ? undefined : elsewhere.slug)
  const chapter = isSame ? chapterAt(title.chapters, elsewhere.chapter)?.title : undefined
  const what = isSame ? chapterInWords(elsewhere.chapter, chapter) : (names?.title ?? 'Another book')
  return (
    <ElsewhereCard
      elsewhere={elsewhere}
      what={what}
      onPlayHere={() => usePlayer.getState().controls?.play()}
    />
  )
}

interface ElsewhereCardProps {
  elsewhere: PlayingElsewhere
  /** The chapter on the other device, or the book if that one plays another. */
  what: string
  onPlayHere: () => void
}

function ElsewhereCard({ elsewhere, what, onPlayHere }: ElsewhereCardProps) {
  return (
    <section className={styles.elsewhere} aria-labelledby="playing-elsewhere" role="status">
      <Icon of={DeviceMobileIcon} />
      <h2 id="playing-elsewhere" className={styles.title}>
        Playing on {elsewhere.deviceName ?? 'another device'}
      </h2>
      <p className={styles.soft}>
        {what}, {clock(elsewhere.seconds)}. We paused it here.
      </p>
      <button type="button" className={styles.fill} onClick={onPlayHere}>
        Play here instead
      </button>
    </section>
  )
}
