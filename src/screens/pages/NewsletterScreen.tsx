import { NewsletterConfirmed } from '#features/newsletter/NewsletterConfirmed.tsx'
import { NewsletterForm } from '#features/newsletter/NewsletterForm.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { NEWSLETTER } from '#app/menus/links.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from '../layout/layout.module.css'
import { PageTop } from '../layout/PageTop.tsx'

/** @param confirm the token of the mail that asks whether the address is its owner's */
export function NewsletterScreen({ confirm }: { confirm?: string | undefined }) {
  return (
    <Wrap className={styles.page}>
      <PageHead title={NEWSLETTER.title} description={NEWSLETTER.words} canonical="/newsletter-signup" />
      <PageTop title={NEWSLETTER.title} lead={NEWSLETTER.words} />
      <div className={styles.body}>
        {confirm ? <NewsletterConfirmed token={confirm} /> : <NewsletterForm />}
      </div>
    </Wrap>
  )
}
