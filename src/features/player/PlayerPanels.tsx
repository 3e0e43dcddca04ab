import { Suspense, type ReactNode } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { Panel } from './panel.ts'
import type { SheetPartProps } from './sheet-style.ts'
import { usePlayer } from './store.ts'
import { useTitleDownload } from './use-player.ts'

export interface PlayerPanelsProps {
  /** The last one opened; it stays while it leaves. */
  panel: Panel | undefined
  open: boolean
  noteFor: string | undefined
  bookmarkNote: ReactNode
  earlierPlaces: ((close: () => void) => ReactNode) | undefined
  whatNext: ((sheet: SheetPartProps) => ReactNode) | undefined
  onOpenChange: (open: boolean) => void
}

/** The sheets over the player, each loaded when it is first opened. */
export function PlayerPanels({
  panel,
  open,
  noteFor,
  bookmarkNote,
  earlierPlaces,
  whatNext,
  onOpenChange,
}: PlayerPanelsProps) {
  return (
    <Suspense>
      {panel === 'chapters' && <ChaptersSheet open={open} onOpenChange={onOpenChange} />}
      {panel === 'speed' && <SpeedSheet open={open} onOpenChange={onOpenChange} />}
      {panel === 'sleep' && <SleepSheet open={open} onOpenChange={onOpenChange} />}
      {panel === 'bookmarks' && (
        <BookmarksSheet
          key={noteFor}
          open={open}
          onOpenChange={onOpenChange}
          noteFor={noteFor}
          note={bookmarkNote}
        />
      )}
      {panel === 'earlier' && (
        <EarlierSheet open={open} onOpenChange={onOpenChange}>
          {earlierPlaces?.(() => onOpenChange(false))}
        </EarlierSheet>
      )}
      {panel === 'next' && whatNext?.({ open, onOpenChange })}
      {panel === 'stopDownload' && <StopDownload open={open} onOpenChange={onOpenChange} />}
      {panel === 'keys' && <KeysDialog open={open} onOpenChange={onOpenChange} />}
    </Suspense>
  )
}

export const ChaptersSheet = lazyPart(() => import('./ChaptersSheet.tsx'), 'ChaptersSheet')
const SpeedSheet = lazyPart(() => import('./SpeedSheet.tsx'), 'SpeedSheet')
const SleepSheet = lazyPart(() => import('./SleepSheet.tsx'), 'SleepSheet')
const BookmarksSheet = lazyPart(() => import('./BookmarksSheet.tsx'), 'BookmarksSheet')
const EarlierSheet = lazyPart(() => import('./EarlierSheet.tsx'), 'EarlierSheet')
const KeysDialog = lazyPart(() => import('./KeysDialog.tsx'), 'KeysDialog')
const RemoveQuestion = lazyPart(() => import('#features/downloads/RemoveQuestion.tsx'), 'RemoveQuestion')

/** The question of the library's button, over the player. */
function StopDownload(shown: SheetPartProps) {
  const title = usePlayer((store) => store.state.title)
  const { key } = useTitleDownload(title)
  return <RemoveQuestion titleKey={key} of={title?.title ?? 'this book'} {...shown} />
}
