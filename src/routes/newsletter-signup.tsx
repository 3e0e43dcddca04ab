import { createFileRoute } from '@tanstack/react-router'
import { NewsletterForm } from '#features/pages/NewsletterForm.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import styles from './-Page.module.css'
import { PageTop } from './-PageTop.tsx'

export const Route = createFileRoute('/newsletter-signup')({
  component: () => (
    <Wrap className={styles.page}>
      <PageHead
        title="Our newsletter"
        description="New titles, the month’s highlights and what we are reading, about once a fortnight."
        canonical="/newsletter-signup"
      />
      <PageTop
        title="Our newsletter"
        lead="New titles, the month’s highlights and what we are reading, about once a fortnight."
      />
      <div className={styles.body}>
        <NewsletterForm />
      </div>
    </Wrap>
  ),
})
