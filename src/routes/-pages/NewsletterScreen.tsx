import { NewsletterConfirmed } from '#features/newsletter/NewsletterConfirmed.tsx'
import { NewsletterForm } from '#features/newsletter/NewsletterForm.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { shop } from '#features/shop-details/shop.ts'
import styles from '../-layout/layout.module.css'
import { PageTop } from '../-layout/PageTop.tsx'

/** @param confirm the token of the mail that asks whether the address is its owner's */
export function NewsletterScreen({ confirm }: { confirm?: string | undefined }) {
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
