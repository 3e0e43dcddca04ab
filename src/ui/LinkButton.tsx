import { createLink } from '@tanstack/react-router'
import { AnchorButton } from './AnchorButton.tsx'

/** A router link with a button's looks: takes what `<Link>` takes (`to`, `params`, `search`) and `look`, `tone`. */
export const LinkButton = createLink(AnchorButton)
