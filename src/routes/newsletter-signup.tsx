import { createFileRoute } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { MESSAGES } from '#contract/messages.ts'
import { confirmNewsletter } from '#features/newsletter/mutations.ts'
import { NewsletterForm } from '#features/newsletter/NewsletterForm.tsx'
import { shop } from '#features/shop-details/shop.ts'
import { textIn } from '#format/address.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { useConfirmLink } from '#writes/use-confirm-link.ts'
import styles from './-layout/layout.module.css'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/newsletter-signup')({
  staticData: { frame: 'newsletter' },
  validateSearch: (search): { confirm?: string | undefined } => ({ confirm: textIn(search.confirm) }),
  component: NewsletterScreen,
})

function NewsletterScreen() {
  // The token of the email that asks for a confirmation.
  const { confirm } = Route.useSearch()
  const { title, words } = shop().newsletter
  return (
    <Wrap className={styles.page}>
      <PageHead title={title} description={words} canonical="/newsletter-signup" />
      <PageTop title={title} lead={words} />
      <div className={styles.body}>
        {confirm ? <NewsletterConfirmed token={confirm} /> : <NewsletterForm />}
      </div>
    </Wrap>
  )
}

/** The link of the email that asks for a confirmation. */
function NewsletterConfirmed({ token }: { token: string }) {
  const { outcome } = useConfirmLink(token, confirmNewsletter)
  return (
    <p role="status">
      {outcome === 'confirmed' && 'You’re on the list. The next newsletter is yours.'}
      {outcome === 'failed' && MESSAGES.somethingWentWrong}
    </p>
  )
}
