// The world failed, and no outcome of the contract describes it. SDK errors become this in store only.

export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly code: 'unavailable' | 'corrupt-item';
  readonly retryable: boolean;

  constructor(code: StoreFault['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryable = code === 'unavailable';
  }
}
