// Articles, the material of exports, as plain interfaces. Compared with the service's schemas by a test.

export interface PutArticle {
  /** 1 to 200 characters. */
  title: string;
  /** At most 300 KB of UTF-8. */
  markdown: string;
  /**
   * BCP 47.
   * @default 'und'
   */
  language?: string;
}

/** An article without its text. `etag` is a hash of the content, with its quotes. */
export interface ArticleSummary {
  id: string;
  title: string;
  bytes: number;
  etag: string;
  updatedAt: string;
}

export interface Article extends ArticleSummary {
  markdown: string;
  language: string;
}
