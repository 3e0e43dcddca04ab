import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { SheetPartProps } from '#features/player/ChaptersSheet.tsx'
import { usePlayer } from '#features/player/store.ts'
import { useTitleDownload } from '#features/player/use-player.ts'

interface PlayerPanelsProps extends SheetPartProps {
  /** The last opened panel; stays set during its exit animation. */
  panel: Panel | undefined
  noteFor: string | undefined
}

/** The sheets over the player, each loaded when it is first opened. */
export function PlayerPanels({ panel, noteFor, beside, ...sheet }: PlayerPanelsProps) {
  return (
    <Suspense>
      {panel === 'chapters' && <ChaptersSheet {...sheet} />}
      {panel === 'speed' && <SpeedSheet {...sheet} beside={beside} />}
      {panel === 'sleep' && <SleepSheet {...sheet} beside={beside} />}
      {panel === 'bookmarks' && <BookmarksSheet key={noteFor} noteFor={noteFor} {...sheet} />}
      {panel === 'earlier' && <EarlierSheet {...sheet} />}
      {panel === 'justNow' && <JustNowSheet {...sheet} />}
      {panel === 'next' && <QueueSheet {...sheet} beside={beside} />}
      {panel === 'stopDownload' && <StopDownload {...sheet} />}
      {panel === 'keys' && <KeysDialog {...sheet} />}
    </Suspense>
  )
}

const ChaptersSheet = lazyPart(() => import('#features/player/ChaptersSheet.tsx'), 'ChaptersSheet')
const SpeedSheet = lazyPart(() => import('./PlayerSheets.tsx'), 'SpeedSheet')
const SleepSheet = lazyPart(() => import('./PlayerSheets.tsx'), 'SleepSheet')
const BookmarksSheet = lazyPart(() => import('./PlayerSheets.tsx'), 'BookmarksSheet')
const EarlierSheet = lazyPart(() => import('./PlayerSheets.tsx'), 'EarlierSheet')
const JustNowSheet = lazyPart(() => import('./JustNowSheet.tsx'), 'JustNowSheet')
const KeysDialog = lazyPart(() => import('./PlayerSheets.tsx'), 'KeysDialog')
const QueueSheet = lazyPart(() => import('#features/queue/QueueSheet.tsx'), 'QueueSheet')
const RemoveQuestion = lazyPart(() => import('#features/downloads/RemoveQuestion.tsx'), 'RemoveQuestion')

/** The same confirmation as in the library. */
function StopDownload(shown: SheetPartProps) {
  const title = usePlayer((store) => store.state.title)
  const { key } = useTitleDownload(title)
  return <RemoveQuestion titleKey={key} of={title?.title ?? 'this book'} {...shown} />
}

/** The sheet or dialog open over the full player; at most one. */
export type Panel =
  | 'chapters'
  | 'speed'
  | 'sleep'
  | 'bookmarks'
  | 'earlier'
  | 'justNow'
  | 'next'
  | 'keys'
  | 'stopDownload'
