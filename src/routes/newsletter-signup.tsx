import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { MESSAGES } from '#contract/messages.ts'
import { confirmNewsletter } from '#features/newsletter/mutations.ts'
import { NewsletterForm } from '#features/newsletter/NewsletterForm.tsx'
import { shop } from '#features/shop-details/shop.ts'
import { textIn } from '#format/address.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-layout/layout.module.css'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/newsletter-signup')({
  staticData: { frame: 'newsletter' },
  validateSearch: (search): { confirm?: string | undefined } => ({ confirm: textIn(search.confirm) }),
  component: () => <NewsletterScreen confirm={Route.useSearch().confirm} />,
})

/** @param confirm the token of the mail that asks whether the address is its owner's */
function NewsletterScreen({ confirm }: { confirm?: string | undefined }) {
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

/** The link of the mail. It confirms by a POST of its own, so that a scanner that only looks changes nothing. */
function NewsletterConfirmed({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<'confirmed' | 'failed'>()
  useEffect(() => {
    let left = false
    confirmNewsletter(token).then(
      () => left || setOutcome('confirmed'),
      () => left || setOutcome('failed'),
    )
    return () => {
      left = true
    }
  }, [token])
  return (
    <p role="status">
      {outcome === 'confirmed' && 'You’re on the list. The next newsletter is yours.'}
      {outcome === 'failed' && MESSAGES.somethingWentWrong}
    </p>
  )
}
