import styles from './Button.module.css'
import { cx } from './cx.ts'

export type ButtonLook = 'beak' | 'solid' | 'quiet' | 'text' | 'danger'

export interface ButtonStyle {
  /** Beak is the one thing to do next: at most one a screen. */
  look?: ButtonLook | undefined
  /** `title` on a band or panel in a title's colours. */
  tone?: 'page' | 'title' | undefined
  block?: boolean | undefined
  /** 56 high: the pay button and its equals. */
  tall?: boolean | undefined
}

/** The button's looks for anything that is not a button: a router link, a download anchor. */
export function buttonClass(
  { look = 'solid', tone = 'page', block, tall }: ButtonStyle,
  ...more: (string | undefined)[]
) {
  const skin = tone === 'title' ? onTitle[look] : styles[look]
  return cx(
    styles.button,
    look === 'text' && styles.text,
    skin,
    block && styles.block,
    tall && styles.tall,
    ...more,
  )
}

const onTitle: Record<ButtonLook, string | undefined> = {
  beak: styles.titleFill,
  solid: styles.titleFill,
  danger: styles.titleFill,
  quiet: styles.titleQuiet,
  text: styles.titleText,
}
