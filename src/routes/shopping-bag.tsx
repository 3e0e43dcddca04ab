import { createFileRoute } from '@tanstack/react-router'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import styles from './-Page.module.css'
import { PageTop } from './-PageTop.tsx'

export const Route = createFileRoute('/shopping-bag')({
  component: () => (
    <Wrap className={styles.page}>
      <PageHead title="Shopping bag" hidden />
      <PageTop title="Shopping bag" />
      <Empty
        title="Your bag is empty. The shelves aren’t."
        help="The till opens soon. Samples play already, and what is free is yours to read."
        action={
          <LinkButton to="/browse" look="solid">
            Browse the shelves
          </LinkButton>
        }
      />
    </Wrap>
  ),
})
