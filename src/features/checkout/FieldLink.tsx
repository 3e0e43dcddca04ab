interface FieldLinkProps {
  words: string
  /** Id of the field it leads to. */
  to?: string | undefined
  /** In place of an id: the field lies in a frame. */
  onFollow?: (() => void) | undefined
}

/** Leads to a field and puts the cursor into it. */
export function FieldLink({ words, to, onFollow }: FieldLinkProps) {
  return (
    <a
      href={`#${to ?? ''}`}
      onClick={(event) => {
        event.preventDefault()
        if (onFollow) onFollow()
        else if (to) document.getElementById(to)?.focus()
      }}
    >
      {words}
    </a>
  )
}
