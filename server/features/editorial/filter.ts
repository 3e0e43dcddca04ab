export type Kind = 'article' | 'interview' | 'discussion'

/** A missing field does not filter. */
export interface EditorialFilter {
  readonly kinds?: readonly Kind[]
  readonly types?: readonly number[]
  readonly featured?: true
  readonly special?: true
  readonly ids?: readonly number[]
}
