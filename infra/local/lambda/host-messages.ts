// What the local stack and a function host say to each other over IPC. Events and results travel as
// JSON text, as they do to and from Lambda: what JSON cannot carry does not arrive.

export interface HostedFunction {
  readonly name: string;
  readonly file: string;
  readonly exportName: string;
  readonly memoryMb: number;
}

export type ToHost =
  | { readonly kind: 'load'; readonly functions: readonly HostedFunction[] }
  | {
      readonly kind: 'invoke';
      readonly id: string;
      readonly name: string;
      readonly eventJson: string;
      /** Lambda's own deadline, epoch milliseconds. */
      readonly deadlineMs: number;
    };

export type FromHost =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'not-loaded'; readonly sentence: string }
  | { readonly kind: 'result'; readonly id: string; readonly resultJson: string }
  | { readonly kind: 'error'; readonly id: string; readonly error: FunctionError };

/** As Lambda reports it to callers of the Invoke API. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: FunctionError };
