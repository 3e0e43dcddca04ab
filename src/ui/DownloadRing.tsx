import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './DownloadRing.module.css'

interface DownloadRingProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'style'> {
  state: DownloadState
  /** From 0 to 1, while downloading. */
  share?: number | undefined
  /** The title, for the accessible name: "Download The Salt Ledger". */
  of?: string | undefined
  tone?: 'page' | 'title' | undefined
}

/** Arrow, ring with stop, tick; a broken ring after a failure. The parent announces the progress. */
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

type DownloadState = 'none' | 'waiting' | 'downloading' | 'done' | 'failed'

interface DownloadGlyphProps {
  state: DownloadState
  /** From 0 to 1, while downloading. */
  share?: number | undefined
  size?: number | undefined
}

/** The 28 px icon of a download, for buttons of other shapes; needs the ring's colour variables. */
export function DownloadGlyph({ state, share = 0, size = 28 }: DownloadGlyphProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 28 28"
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {state === 'none' && (
        <path d="M14 5v12.5m-5-5 5 5 5-5M6 22.5h16" strokeWidth="1.75" stroke="var(--ring, currentColor)" />
      )}
      {(state === 'waiting' || state === 'downloading') && (
        <>
          <circle cx="14" cy="14" r="12.5" strokeWidth="2.4" stroke="var(--ring-ground, var(--line))" />
          <circle
            className={state === 'waiting' ? styles.turning : styles.arc}
            cx="14"
            cy="14"
            r="12.5"
            strokeWidth="2.4"
            stroke="var(--ring, currentColor)"
            pathLength={100}
            strokeDasharray={`${state === 'waiting' ? 12 : Math.min(1, Math.max(0.01, share)) * 100} 100`}
          />
          <path d="M10.5 10.5h7v7h-7z" fill="var(--ring, currentColor)" />
        </>
      )}
      {state === 'done' && (
        <>
          <circle cx="14" cy="14" r="12.5" fill="var(--ring, currentColor)" />
          <path d="m8.8 14.5 3.6 3.6 7-7.4" strokeWidth="2.2" stroke="var(--ring-paper, var(--paper))" />
        </>
      )}
      {state === 'failed' && (
        <>
          <circle
            cx="14"
            cy="14"
            r="12.5"
            strokeWidth="2"
            strokeDasharray="12 7.6"
            stroke="var(--ring-bad, var(--danger))"
          />
          <path d="M14 8.5V15M14 18.8v.2" strokeWidth="2" stroke="var(--ring-bad, var(--danger))" />
        </>
      )}
    </svg>
  )
}
