import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { DownloadGlyph, type DownloadState } from './DownloadGlyph.tsx'
import styles from './DownloadRing.module.css'

export interface DownloadRingProps extends Omit<
  ComponentProps<'button'>,
  'children' | 'aria-label' | 'style'
> {
  state: DownloadState
  /** 0 to 1 while downloading. */
  share?: number | undefined
  /** What is meant, e.g. the title: "Download The Salt Ledger". */
  of?: string | undefined
  tone?: 'page' | 'title' | undefined
}

/** Arrow, ring with stop, tick; a broken ring when it failed. Progress is announced by whoever owns the download. */
export function DownloadRing({ state, share = 0, of, tone = 'page', className, ...rest }: DownloadRingProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label(state, of)}
      className={cx(styles.button, tone === 'title' && styles.title, className)}
    >
      <DownloadGlyph state={state} share={share} />
    </button>
  )
}

function label(state: DownloadState, of: string | undefined) {
  const [alone, before] = LABELS[state]
  return of ? `${before} ${of}` : alone
}

const LABELS: Record<DownloadState, readonly [alone: string, before: string]> = {
  none: ['Download', 'Download'],
  waiting: ['Stop download', 'Stop download of'],
  downloading: ['Stop download', 'Stop download of'],
  done: ['Downloaded, remove', 'Downloaded, remove'],
  failed: ['Try again', 'Try again to download'],
}
