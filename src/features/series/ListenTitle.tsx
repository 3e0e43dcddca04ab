import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { useNavigate } from '@tanstack/react-router'
import type { BookCard } from '#contract/catalogue.ts'
import { linkTo } from '#features/catalogue/model.ts'
import type { Progress } from '#features/library/model.ts'
import { listenTo } from '#features/player/lazy.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'

interface ListenTitleProps {
  book: BookCard
  /** There is sound to play. */
  playable: boolean
  progress: Pick<Progress, 'finished'> | undefined
}

/** What an owner does with a title: begin it, go on, hear it again; an e-book is opened on its page. */
export function ListenTitle({ book, playable, progress }: ListenTitleProps) {
  const navigate = useNavigate()
  const { slug, title } = book
  if (!playable)
    return (
      <LinkButton {...linkTo(book)} look="text" aria-label={`Open ${title}`}>
        Open
      </LinkButton>
    )
  const listen = () =>
    void listenTo({ slug, kind: 'book' }, () => void navigate({ to: '/player/$slug', params: { slug } }))
  const words = progress?.finished ? 'Listen again' : progress ? 'Continue' : 'Listen'
  return (
    <Button look={progress?.finished ? 'text' : 'quiet'} aria-label={`${words}, ${title}`} onClick={listen}>
      {!progress?.finished && <Icon of={PlayIcon} size={18} filled />}
      {words}
    </Button>
  )
}
