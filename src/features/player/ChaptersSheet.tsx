import { removeDownload } from '#features/downloads/lazy.ts'
import { isRunning } from '#features/downloads/model.ts'
import { pressDownload } from '#features/downloads/press-download.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { ChapterList } from './ChapterList.tsx'
import styles from './player.module.css'
import { usePlayer } from './store.ts'
import { useTitleDownload, useTitleTheme } from './use-player.ts'
import type { CSSProperties, RefObject } from 'react'
import { themeStyle, type TitleTheme } from '#ui/title-theme.ts'

export function ChaptersSheet({ open, onOpenChange }: SheetPartProps) {
  const title = usePlayer((store) => store.state.title)
  const theme = useTitleTheme(title)
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Chapters" tone="title" style={sheetStyle(theme)}>
      <div className={styles.chapters}>
        <DownloadAll />
        <ChapterList onChosen={() => onOpenChange(false)} />
      </div>
    </Sheet>
  )
}

function DownloadAll() {
  const title = usePlayer((store) => store.state.title)
  const download = useTitleDownload(title)
  const { key, state, share } = download
  if (title?.kind !== 'book' || state === 'done') return null
  return (
    <div className={styles.all}>
      {isRunning(download) ? (
        <Button look="quiet" tone="title" block onClick={() => void removeDownload(key)}>
          Stop download ({Math.floor(share * 100)}%)
        </Button>
      ) : (
        <Button look="quiet" tone="title" block onClick={() => pressDownload(key)}>
          {state === 'failed' ? 'Try again to download all' : 'Download all chapters'}
        </Button>
      )}
    </div>
  )
}

/** The sheet uses the container colour, so the current row uses the background colour. */
export const sheetStyle = (theme: TitleTheme): CSSProperties => ({
  ...themeStyle(theme),
  '--row-current': 'var(--title-bg)',
})

export interface SheetPartProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What a sheet at the bottom of a phone opens next to in wider windows. */
  beside?: RefObject<HTMLElement | null> | undefined
}
