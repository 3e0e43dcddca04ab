import type { CSSProperties } from 'react'
import { cx } from './cx.ts'
import styles from './Skeleton.module.css'

interface SkeletonProps {
  /** The exact size of the final content, to prevent layout shifts. */
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  /** `1` or `2 / 3` for covers, instead of a height. */
  ratio?: CSSProperties['aspectRatio']
  cover?: boolean | undefined
  className?: string | undefined
}

/** Hidden from screen readers: put `aria-busy` on the region around it. */
export function Skeleton({ width = '100%', height, ratio, cover, className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={cx(styles.box, cover && styles.cover, className)}
      style={{ width, height, aspectRatio: ratio }}
    />
  )
}
