import { cx } from './cx.ts'
import styles from './ProgressLine.module.css'

interface ProgressLineProps {
  /** From 0 to 1. */
  share: number
  /** "Heard", "Storage used". Without a label the line is decorative. */
  label?: string | undefined
  valueText?: string | undefined
  tone?: 'page' | 'soft' | 'title' | undefined
  /** 2 px instead of 4: the mini player's bottom edge. */
  thin?: boolean | undefined
  className?: string | undefined
}

export function ProgressLine({ share, label, valueText, tone = 'page', thin, className }: ProgressLineProps) {
  const clamped = Math.min(1, Math.max(0, share || 0))
  const meaning = label
    ? {
        role: 'progressbar',
        'aria-label': label,
        'aria-valuemin': 0,
        'aria-valuemax': 100,
        'aria-valuenow': Math.round(clamped * 100),
        'aria-valuetext': valueText,
      }
    : { 'aria-hidden': true }
  return (
    <div
      {...meaning}
      className={cx(styles.line, tone !== 'page' && styles[tone], thin && styles.thin, className)}
    >
      <i style={{ transform: `scaleX(${clamped})` }} />
    </div>
  )
}
