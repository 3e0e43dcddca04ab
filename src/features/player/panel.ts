/** The sheet or question that is open over the full player; at most one. */
export type Panel =
  | 'chapters'
  | 'speed'
  | 'sleep'
  | 'bookmarks'
  | 'earlier'
  | 'next'
  | 'keys'
  | 'stopDownload'
