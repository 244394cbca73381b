import Camera from 'lucide-react/icons/camera';
import { useId, useRef, useState, type ChangeEvent, type ReactNode } from 'react';
import type { Send } from '#web/api/refresh.ts';
import type { SentShare, UploadImageOptions } from '#web/api/send-with-progress.ts';
import { Button } from './button.tsx';
import styles from './image-button.module.css';
import { findImageProblem, IMAGE_TYPES } from './image-problem.ts';
import { Progress } from './progress.tsx';
import { Failure } from './state-message.tsx';
import { showToast, type Toast } from './toasts.ts';
import { useCalls } from './use-call.ts';

type ImageButtonProps = {
  label: string;
  /** The id of the element that names the subject of the image. */
  describedBy?: string;
  /** A sentence about the allowed files. */
  hint?: string;
  /** Uploads the image and makes it the one that is shown; throws where that fails, and where `signal` stops it. */
  upload: (send: Send, file: File, options: UploadImageOptions) => Promise<unknown>;
  success: Toast;
  /** The toast for a failure, whose reason the button already shows. */
  failure: Toast;
  /** Another button, shown while nothing is uploaded. */
  children?: ReactNode;
};

type State =
  | { name: 'idle' }
  | { name: 'sending'; share: SentShare; controller: AbortController }
  | { name: 'refused'; sentence: string }
  | { name: 'failed'; sentence: string; file: File };

const IDLE: State = { name: 'idle' };

/** Uploads one image when it is chosen, with progress, cancel and retry; unusable ones are refused with a message. */
export function ImageButton({ label, describedBy, hint, children, ...sending }: ImageButtonProps) {
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  const { state, element, button, take } = useSending(sending);
  return (
    <div ref={element} className={styles['picker']}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={IMAGE_TYPES.join(',')}
        onChange={(event) => take(takeFile(event))}
      />
      <div className={styles['buttons']}>
        <Button
          ref={button}
          size="small"
          pending={state.name === 'sending'}
          aria-describedby={describedBy ?? (hint === undefined ? undefined : hintId)}
          onClick={() => input.current?.click()}
        >
          <Camera size={16} aria-hidden="true" />
          {label}
        </Button>
        {state.name === 'sending' && state.share !== null && (
          <Button size="small" variant="quiet" onClick={() => state.controller.abort()}>
            Cancel
          </Button>
        )}
        {state.name === 'failed' && (
          <Button size="small" variant="quiet" onClick={() => take(state.file)}>
            Try Again
          </Button>
        )}
        {state.name === 'idle' && children}
      </div>
      {hint && state.name !== 'sending' && (
        <p id={hintId} className={styles['hint']}>
          {hint}
        </p>
      )}
      <Status state={state} label={label} />
    </div>
  );
}

function Status({ state, label }: { state: State; label: string }) {
  return (
    <>
      {state.name === 'sending' && <Progress label={`Progress of ${label}`} share={state.share} />}
      <output className={styles['doing']}>
        {state.name === 'sending' && (state.share === null ? 'Preparing the image...' : 'Uploading...')}
      </output>
      {(state.name === 'refused' || state.name === 'failed') && <Failure>{state.sentence}</Failure>}
    </>
  );
}

type Chosen = { file: File; controller: AbortController };

function useSending({ upload, success, failure }: Pick<ImageButtonProps, 'upload' | 'success' | 'failure'>) {
  const [state, setState] = useState<State>(IDLE);
  const element = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // The other buttons appear and disappear; the focus stays on the first.
  function keepFocus(): void {
    if (element.current?.contains(document.activeElement)) button.current?.focus();
  }

  const { run } = useCalls(
    (send, { file, controller }: Chosen) => {
      const onProgress = (share: SentShare) => {
        if (share === null) keepFocus();
        setState({ name: 'sending', share, controller });
      };
      keepFocus();
      onProgress(0);
      return upload(send, file, { signal: controller.signal, onProgress });
    },
    {
      success,
      onDone: () => {
        keepFocus();
        setState(IDLE);
      },
      onFailed: ({ sentence, input: { file, controller } }) => {
        keepFocus();
        if (controller.signal.aborted) return setState(IDLE);
        setState({ name: 'failed', sentence, file });
        showToast({ ...failure, destructive: true });
      },
    },
  );

  function take(file: File | undefined): void {
    if (file === undefined || state.name === 'sending') return;
    const sentence = findImageProblem(file);
    if (sentence === null) void run({ file, controller: new AbortController() });
    else setState({ name: 'refused', sentence });
  }

  return { state, element, button, take };
}

/** Takes the chosen file. The field is emptied, so that the same file can be chosen again. */
function takeFile({ currentTarget }: ChangeEvent<HTMLInputElement>): File | undefined {
  const file = currentTarget.files?.[0];
  currentTarget.value = '';
  return file;
}
