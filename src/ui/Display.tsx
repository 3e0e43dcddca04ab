import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './text.module.css'

interface DisplayProps extends Omit<ComponentProps<'h2'>, 'style'> {
  as?: 'h1' | 'h2' | 'h3' | 'h4' | 'p' | undefined
  /** xl: home headline only. lg: page and book titles. md: sections. sm: dialogs, features. */
  size?: 'xl' | 'lg' | 'md' | 'sm' | undefined
}

/** Newsreader headings. Their sizes are defined only here. */
export function Display({ as: Tag = 'h2', size = 'md', className, children, ...rest }: DisplayProps) {
  return (
    <Tag {...rest} className={cx(styles.display, styles[size], className)}>
      {children}
    </Tag>
  )
}

interface ItalicWordProps {
  text: string
  /** The word to set in italics; if it is null or not in the text, nothing is. */
  word: string | null | undefined
}

export function ItalicWord({ text, word }: ItalicWordProps) {
  const at = word ? text.lastIndexOf(word) : -1
  if (!word || at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <i>{word}</i>
      {text.slice(at + word.length)}
    </>
  )
}
