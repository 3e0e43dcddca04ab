import type { PlayingElsewhere } from './other-device-model.ts'
import { ElsewhereCard } from './ElsewhereCard.tsx'
import { chapterAt, type Playable } from '#features/player/model.ts'
import { usePlayer } from '#features/player/store.ts'
import { useTitleNames } from './title-names.ts'

/** Says where playback moved to: the chapter, or the book if it is not the one open here. */
export function ElsewhereNotice({ elsewhere, title }: { elsewhere: PlayingElsewhere; title: Playable }) {
  const isSame = elsewhere.slug === title.slug
  const names = useTitleNames(isSame ? undefined : elsewhere.slug)
  const chapter = isSame ? chapterAt(title.chapters, elsewhere.chapter)?.title : undefined
  const what = isSame
    ? chapter
      ? `${elsewhere.chapter}. ${chapter}`
      : `Chapter ${elsewhere.chapter}`
    : (names?.title ?? 'Another book')
  return (
    <ElsewhereCard
      elsewhere={elsewhere}
      what={what}
      onPlayHere={() => usePlayer.getState().controls?.play()}
    />
  )
}
