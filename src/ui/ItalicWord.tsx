interface ItalicWordProps {
  text: string
  /** The one that stands in italics; null or not in the text: none does. */
  word: string | null | undefined
}

/** A headline with one word of it in italics. */
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
