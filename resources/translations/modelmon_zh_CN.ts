<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name></name>
    <message>
        <source>% of one core</source>
        <translation>单核的 %</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>1 model</source>
        <translation>1 个模型</translation>
    </message>
    <message>
        <source>1 model, {size}</source>
        <translation>1 个模型，{size}</translation>
    </message>
    <message>
        <source>1 process</source>
        <translation>1 个进程</translation>
    </message>
    <message>
        <source>1 reader {rate}</source>
        <translation>1 个读取器 {rate}</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 轮</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 次运行</translation>
    </message>
    <message>
        <source>1 run deleted</source>
        <translation>已删除 1 次运行</translation>
    </message>
    <message>
        <source>1 tensor</source>
        <translation>1 个张量</translation>
    </message>
    <message>
        <source>1 tensor found</source>
        <translation>找到 1 个张量</translation>
    </message>
    <message>
        <source>1 tensor, {size}, {types}</source>
        <translation>1 个张量，{size}，{types}</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>15 minutes</source>
        <translation>15 分钟</translation>
    </message>
    <message>
        <source>5 minutes</source>
        <translation>5 分钟</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>A and B are the same: change one of them first.</source>
        <translation>A 和 B 相同：请先更改其中一个。</translation>
    </message>
    <message>
        <source>A and B deliver the same, and {arm} cannot: {reason}</source>
        <translation>A 和 B 的交付方式必须相同，而 {arm} 做不到：{reason}</translation>
    </message>
    <message>
        <source>A fresh worker is being prepared</source>
        <translation>正在准备全新的工作进程</translation>
    </message>
    <message>
        <source>A library that loads as its users call it, to measure against. It decides for most other axes.</source>
        <translation>按用户通常的调用方式加载的库，用作参照。其他大多数轴由它决定。</translation>
    </message>
    <message>
        <source>A loads so already.</source>
        <translation>A 已采用这种方式。</translation>
    </message>
    <message>
        <source>A model that was found cannot be understood: {error}.</source>
        <translation>无法理解找到的某个模型：{error}。</translation>
    </message>
    <message>
        <source>A part of {size} stands for the model ({why}); times for the whole are extrapolated.</source>
        <translation>以 {size} 的部分代表模型（{why}）；整个模型的时间为外推值。</translation>
    </message>
    <message>
        <source>A restart, or seek, is a request that does not continue where its descriptor&apos;s last one ended.</source>
        <translation>重新定位（seek）指请求未从其文件描述符上一个请求的结尾处继续。</translation>
    </message>
    <message>
        <source>A small part of the file is read to see how fast its storage is.</source>
        <translation>正在读取文件的一小部分，以了解存储的速度。</translation>
    </message>
    <message>
        <source>A&apos;s {name} takes {times} times as long.</source>
        <translation>A 的 {name} 耗时是它的 {times} 倍。</translation>
    </message>
    <message>
        <source>A&apos;s {name} took about {times} times as long.</source>
        <translation>A 的 {name} 耗时约为 {times} 倍。</translation>
    </message>
    <message>
        <source>About modelmon</source>
        <translation>关于 modelmon</translation>
    </message>
    <message>
        <source>About {share} slower</source>
        <translation>约慢 {share}</translation>
    </message>
    <message>
        <source>About {times} times as long</source>
        <translation>耗时约为 {times} 倍</translation>
    </message>
    <message>
        <source>About {time} left</source>
        <translation>约剩 {time}</translation>
    </message>
    <message>
        <source>About {time} left in all</source>
        <translation>总共约剩 {time}</translation>
    </message>
    <message>
        <source>About {time} to go, {left}</source>
        <translation>约剩 {time}，{left}</translation>
    </message>
    <message>
        <source>Access map</source>
        <translation>访问图</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Against A&apos;s {name} no difference was seen.</source>
        <translation>与 A 的 {name} 相比未见差异。</translation>
    </message>
    <message>
        <source>Against A&apos;s {name} there are too few runs to tell.</source>
        <translation>与 A 的 {name} 相比，运行次数太少，无法判断。</translation>
    </message>
    <message>
        <source>All axes…</source>
        <translation>全部参数…</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>All runs that were recorded on this machine</source>
        <translation>在本机上记录的全部运行</translation>
    </message>
    <message>
        <source>All runs that were recorded, also without an open model</source>
        <translation>所有已记录的运行，无需打开模型</translation>
    </message>
    <message>
        <source>All strategies</source>
        <translation>所有策略</translation>
    </message>
    <message>
        <source>Also know</source>
        <translation>另请注意</translation>
    </message>
    <message>
        <source>Another disk</source>
        <translation>其他磁盘</translation>
    </message>
    <message>
        <source>Another machine</source>
        <translation>其他机器</translation>
    </message>
    <message>
        <source>Another program has deleted them for good meanwhile.</source>
        <translation>其他程序已将它们彻底删除。</translation>
    </message>
    <message>
        <source>Another window could not be started.</source>
        <translation>无法启动另一个窗口。</translation>
    </message>
    <message>
        <source>Any start</source>
        <translation>任意启动状态</translation>
    </message>
    <message>
        <source>April</source>
        <translation>4 月</translation>
    </message>
    <message>
        <source>Arms shown</source>
        <translation>显示 A 或 B</translation>
    </message>
    <message>
        <source>As fast as before</source>
        <translation>相对之前的速度</translation>
    </message>
    <message>
        <source>As is</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>As modelmon doctor tells it in a terminal</source>
        <translation>与终端中 modelmon doctor 的输出相同</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>At best {time} cold, as probed: {kind}.</source>
        <translation>据磁盘测速，冷启动最快 {time}：{kind}。</translation>
    </message>
    <message>
        <source>At most about {time} left in all</source>
        <translation>总共最多约剩 {time}</translation>
    </message>
    <message>
        <source>At most {count} runs in turns, each in a fresh process.</source>
        <translation>最多 {count} 次运行，交替进行，每次使用新进程。</translation>
    </message>
    <message>
        <source>At {time}</source>
        <translation>{time}</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>August</source>
        <translation>8 月</translation>
    </message>
    <message>
        <source>Available</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>Await</source>
        <translation>平均等待</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Back to the start page</source>
        <translation>返回起始页</translation>
    </message>
    <message>
        <source>Back to the verdict</source>
        <translation>返回结论</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Before the clock: {phases}</source>
        <translation>计时之前：{phases}</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Best cold</source>
        <translation>最快冷启动</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>目前最佳</translation>
    </message>
    <message>
        <source>Best warm</source>
        <translation>最快热启动</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Block or crosshair to the left</source>
        <translation>块或十字线左移</translation>
    </message>
    <message>
        <source>Block or crosshair to the right</source>
        <translation>块或十字线右移</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Blocks and tensors</source>
        <translation>块与张量</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Both run in fresh processes, in turns, from a verified cold cache.</source>
        <translation>两者在全新的进程中交替运行，每次都从经过验证的冷缓存开始。</translation>
    </message>
    <message>
        <source>Brought back {count} of the deleted runs.</source>
        <translation>已恢复 {count} 次被删除的运行。</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>时间预算</translation>
    </message>
    <message>
        <source>By the probe no load of this model is faster here: {best}.</source>
        <translation>据磁盘测速，此模型在此处的加载不会更快：{best}。</translation>
    </message>
    <message>
        <source>Bytes fetched from storage</source>
        <translation>从存储读取的字节数</translation>
    </message>
    <message>
        <source>Bytes from the device are not counted where this model lies.</source>
        <translation>此模型所在之处不统计来自设备的字节数。</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Cache state unknown</source>
        <translation>缓存状态未知</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cannot run: {why}</source>
        <translation>无法运行：{why}</translation>
    </message>
    <message>
        <source>Change the other axis first.</source>
        <translation>请先更改另一个轴。</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Check that the program was installed in one piece.</source>
        <translation>请检查程序是否安装完整。</translation>
    </message>
    <message>
        <source>Check the rights of that folder.</source>
        <translation>请检查该文件夹的权限。</translation>
    </message>
    <message>
        <source>Checking the bytes</source>
        <translation>正在校验数据</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Choose another strategy in one card, or change one of its axes.</source>
        <translation>请在一张卡片中选择其他策略，或更改其中一项参数。</translation>
    </message>
    <message>
        <source>Choose more folders to search</source>
        <translation>选择要搜索的其他文件夹</translation>
    </message>
    <message>
        <source>Clear overlay</source>
        <translation>清除叠加</translation>
    </message>
    <message>
        <source>Click a bar to see one block&apos;s figures.</source>
        <translation>点击一根柱，查看该块的数据。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close replay</source>
        <translation>关闭回放</translation>
    </message>
    <message>
        <source>Cold</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>Cold here, server unknown</source>
        <translation>本机为冷，服务器未知</translation>
    </message>
    <message>
        <source>Cold start</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>Cold start here, server state unknown</source>
        <translation>本机冷启动，服务器状态未知</translation>
    </message>
    <message>
        <source>Cold start verified: {share} of the file was cached</source>
        <translation>已确认冷启动：文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>Collapse blocks</source>
        <translation>折叠块</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Colours of the system</source>
        <translation>跟随系统配色</translation>
    </message>
    <message>
        <source>Compare A with B</source>
        <translation>对比 A 与 B</translation>
    </message>
    <message>
        <source>Compare A with B: {a} against {b}, cache as it is.</source>
        <translation>对比 A 与 B：{a} 对 {b}，缓存保持现状。</translation>
    </message>
    <message>
        <source>Compare A with B: {a} against {b}, from a cold cache.</source>
        <translation>对比 A 与 B：{a} 对 {b}，从冷缓存开始。</translation>
    </message>
    <message>
        <source>Compare A with B: {a} against {b}, from a warm cache.</source>
        <translation>对比 A 与 B：{a} 对 {b}，从热缓存开始。</translation>
    </message>
    <message>
        <source>Compare A/B</source>
        <translation>对比 A/B</translation>
    </message>
    <message>
        <source>Compare A/B is over, after {time}</source>
        <translation>A/B 对比已结束，用时 {time}</translation>
    </message>
    <message>
        <source>Compare a part ({size})</source>
        <translation>对比一部分（{size}）</translation>
    </message>
    <message>
        <source>Compare ended in {place}.</source>
        <translation>对比已结束，止于{place}。</translation>
    </message>
    <message>
        <source>Compare finished: {runs} runs, all counted</source>
        <translation>对比完成：{runs} 次运行，全部计入</translation>
    </message>
    <message>
        <source>Compare finished: {runs} runs, {count} not counted</source>
        <translation>对比完成：{runs} 次运行，{count} 次未计入</translation>
    </message>
    <message>
        <source>Compare recorded runs</source>
        <translation>对比已记录的运行</translation>
    </message>
    <message>
        <source>Compare selected runs…</source>
        <translation>对比所选运行…</translation>
    </message>
    <message>
        <source>Compare the whole model</source>
        <translation>对比整个模型</translation>
    </message>
    <message>
        <source>Compare was stopped after {done} of at most {total} pairs.</source>
        <translation>对比已停止，完成 {done} 个配对（最多 {total} 个）。</translation>
    </message>
    <message>
        <source>Compare was stopped after {done} of {total} pairs.</source>
        <translation>对比已停止，完成 {done} / {total} 个配对。</translation>
    </message>
    <message>
        <source>Compare was stopped in {place}.</source>
        <translation>对比已停止，停在{place}。</translation>
    </message>
    <message>
        <source>Compare will take about {time}.</source>
        <translation>对比约需 {time}。</translation>
    </message>
    <message>
        <source>Compare, {place}: {arm}</source>
        <translation>对比，{place}：{arm}</translation>
    </message>
    <message>
        <source>Compare: {cost}.</source>
        <translation>对比：{cost}。</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>对比…</translation>
    </message>
    <message>
        <source>Compressed in RAM by {compressor}</source>
        <translation>由 {compressor} 在内存中压缩</translation>
    </message>
    <message>
        <source>Copied {rows} rows as CSV.</source>
        <translation>已将 {rows} 行复制为 CSV。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Copy name, type, shape and bytes</source>
        <translation>复制名称、类型、形状和字节数</translation>
    </message>
    <message>
        <source>Copy the command: {command}</source>
        <translation>复制命令：{command}</translation>
    </message>
    <message>
        <source>Copy the figures</source>
        <translation>复制数据</translation>
    </message>
    <message>
        <source>Copy to {label}</source>
        <translation>复制到 {label}</translation>
    </message>
    <message>
        <source>Copying within memory</source>
        <translation>正在内存中复制</translation>
    </message>
    <message>
        <source>Counted</source>
        <translation>已计入</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>Counts: {start}</source>
        <translation>计入：{start}</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>December</source>
        <translation>12 月</translation>
    </message>
    <message>
        <source>Delete 1 run</source>
        <translation>删除 1 次运行</translation>
    </message>
    <message>
        <source>Delete 1 run from the history?</source>
        <translation>从历史中删除 1 次运行？</translation>
    </message>
    <message>
        <source>Delete own preset</source>
        <translation>删除自定义预设</translation>
    </message>
    <message>
        <source>Delete runs</source>
        <translation>删除运行</translation>
    </message>
    <message>
        <source>Delete {count} runs</source>
        <translation>删除 {count} 次运行</translation>
    </message>
    <message>
        <source>Delete {count} runs from the history?</source>
        <translation>从历史中删除 {count} 次运行？</translation>
    </message>
    <message>
        <source>Deleted {count} of the recorded runs.</source>
        <translation>已删除 {count} 次已记录的运行。</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Delivered bytes per second</source>
        <translation>每秒已交付的字节数</translation>
    </message>
    <message>
        <source>Delivered bytes per second, median of the runs</source>
        <translation>每秒交付的字节数，各次运行的中位数</translation>
    </message>
    <message>
        <source>Details…</source>
        <translation>详情…</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Disk limit {rate} (probe)</source>
        <translation>磁盘上限 {rate}（测速）</translation>
    </message>
    <message>
        <source>Does not fit: {model}, {memory} free.</source>
        <translation>放不下：{model}，可用 {memory}。</translation>
    </message>
    <message>
        <source>Drag the band, or its edges, to look at another stretch.</source>
        <translation>拖动色带或其边缘，查看另一段。</translation>
    </message>
    <message>
        <source>Draw the run beside A and B in the plots</source>
        <translation>在图中与 A、B 一同绘制此运行</translation>
    </message>
    <message>
        <source>Drop a model file or folder here</source>
        <translation>将模型文件或文件夹拖放到此处</translation>
    </message>
    <message>
        <source>Dropped: {why}</source>
        <translation>已淘汰：{why}</translation>
    </message>
    <message>
        <source>During</source>
        <translation>期间</translation>
    </message>
    <message>
        <source>Each look opens the files, and on FUSE that may drop what is cached of them.</source>
        <translation>每次查看都会打开文件；在 FUSE 上这可能丢弃已缓存的内容。</translation>
    </message>
    <message>
        <source>Errors of the program: {path}</source>
        <translation>程序错误：{path}</translation>
    </message>
    <message>
        <source>Estimating what Compare will cost</source>
        <translation>正在估算对比的开销</translation>
    </message>
    <message>
        <source>Every {step}th sample is drawn while it plays.</source>
        <translation>播放时每 {step} 个采样绘制一个。</translation>
    </message>
    <message>
        <source>Everything that is known of machine and storage</source>
        <translation>关于机器与存储的全部已知信息</translation>
    </message>
    <message>
        <source>Everything that was seen</source>
        <translation>检测到的全部内容</translation>
    </message>
    <message>
        <source>Execution order</source>
        <translation>按执行顺序</translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Expect {expected}</source>
        <translation>预计 {expected}</translation>
    </message>
    <message>
        <source>Experiment and arm, as modelmon history calls them</source>
        <translation>实验与 A/B 侧，与 modelmon history 的叫法相同</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export runs</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>Export selection…</source>
        <translation>导出所选…</translation>
    </message>
    <message>
        <source>Export the winner</source>
        <translation>导出胜者</translation>
    </message>
    <message>
        <source>Exported {path}.</source>
        <translation>已导出 {path}。</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>F2 gives the run a name</source>
        <translation>按 F2 为运行命名</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Failed: {why}</source>
        <translation>失败：{why}</translation>
    </message>
    <message>
        <source>Faster now</source>
        <translation>现在更快</translation>
    </message>
    <message>
        <source>Faster, but not decided</source>
        <translation>更快，但尚未确定</translation>
    </message>
    <message>
        <source>February</source>
        <translation>2 月</translation>
    </message>
    <message>
        <source>Figure of the device</source>
        <translation>设备指标</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Fills the page cache first; its time counts. read reads, readahead and willneed tell the kernel to, populate maps every page at once.</source>
        <translation>先填充页缓存，其用时计入。read 直接读取，readahead 和 willneed 通知内核读取，populate 一次映射所有页。</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the models that were found</source>
        <translation>筛选找到的模型</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>寻找</translation>
    </message>
    <message>
        <source>Find best</source>
        <translation>寻找最佳</translation>
    </message>
    <message>
        <source>Find best has ended.</source>
        <translation>寻找最佳已结束。</translation>
    </message>
    <message>
        <source>Find best is over, after {time}</source>
        <translation>寻找最佳已结束，用时 {time}</translation>
    </message>
    <message>
        <source>Find best races all ways to load this model. Their ranking will stand here.</source>
        <translation>“寻找最佳”让加载此模型的所有方式相互竞速。排名将显示在这里。</translation>
    </message>
    <message>
        <source>Find best was stopped before any run was over.</source>
        <translation>寻找最佳已停止，没有任何运行完成。</translation>
    </message>
    <message>
        <source>Find best, {place}</source>
        <translation>寻找最佳，{place}</translation>
    </message>
    <message>
        <source>Find best, {place}: {racing} of {all} still race</source>
        <translation>寻找最佳，{place}：{all} 个中还有 {racing} 个参与</translation>
    </message>
    <message>
        <source>Find best, {way}: {time}, {start}</source>
        <translation>寻找最佳，{way}：{time}，{start}</translation>
    </message>
    <message>
        <source>Find best: {count} ways to load race for {objective}.</source>
        <translation>寻找最佳：{count} 种加载方式参与，目标：{objective}。</translation>
    </message>
    <message>
        <source>Find best: {summary}</source>
        <translation>寻找最佳：{summary}</translation>
    </message>
    <message>
        <source>Find best: {way} cannot run. {why}</source>
        <translation>寻找最佳：{way} 无法运行。{why}</translation>
    </message>
    <message>
        <source>Find best…</source>
        <translation>寻找最佳…</translation>
    </message>
    <message>
        <source>Find block or tensor</source>
        <translation>查找块或张量</translation>
    </message>
    <message>
        <source>Find in runs</source>
        <translation>在运行中查找</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>First start (cold)</source>
        <translation>首次启动（冷）</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Fits tightly: {model} of {memory} free.</source>
        <translation>勉强放得下：{model}，可用 {memory}。</translation>
    </message>
    <message>
        <source>Fits: {model} of {memory} free.</source>
        <translation>放得下：{model}，可用 {memory}。</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Follow the end of the load (F)</source>
        <translation>跟随加载的末端 (F)</translation>
    </message>
    <message>
        <source>Follow the end of the load, or stop that</source>
        <translation>跟随加载末端，或停止跟随</translation>
    </message>
    <message>
        <source>Follow the runs of A and B again, with a time slider</source>
        <translation>用时间滑块重新观看 A 和 B 的运行过程</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Found on this machine</source>
        <translation>本机上的模型</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>From device</source>
        <translation>来自设备</translation>
    </message>
    <message>
        <source>From the start to the last byte</source>
        <translation>从开始到最后一个字节</translation>
    </message>
    <message>
        <source>Front to back {rate}</source>
        <translation>顺序读取 {rate}</translation>
    </message>
    <message>
        <source>GB, 1000 MB</source>
        <translation>GB（1000 MB）</translation>
    </message>
    <message>
        <source>GiB, 1024 MiB</source>
        <translation>GiB（1024 MiB）</translation>
    </message>
    <message>
        <source>Give each its own name.</source>
        <translation>请为每个文件指定不同的名称。</translation>
    </message>
    <message>
        <source>Give it a name.</source>
        <translation>请为它命名。</translation>
    </message>
    <message>
        <source>Give the plot all the room, or take it back</source>
        <translation>让此图占满空间，或恢复</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Go on with its comparison or race</source>
        <translation>继续其对比或寻优</translation>
    </message>
    <message>
        <source>Go on with the race in what is left of its budget</source>
        <translation>用剩余的时间预算继续寻优</translation>
    </message>
    <message>
        <source>Going on was stopped.</source>
        <translation>已停止继续。</translation>
    </message>
    <message>
        <source>Going on with {reference}</source>
        <translation>正在继续 {reference}</translation>
    </message>
    <message>
        <source>Going on with {reference}.</source>
        <translation>继续 {reference}。</translation>
    </message>
    <message>
        <source>Groups of runs</source>
        <translation>运行分组</translation>
    </message>
    <message>
        <source>Has not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Hide the crosshair, deselect the block, show all again</source>
        <translation>隐藏十字线、取消选择块、恢复全部显示</translation>
    </message>
    <message>
        <source>Hide this plot</source>
        <translation>隐藏此图</translation>
    </message>
    <message>
        <source>High confidence</source>
        <translation>可信度高</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>History of runs: {path}</source>
        <translation>运行历史：{path}</translation>
    </message>
    <message>
        <source>History…</source>
        <translation>历史…</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>占用内存</translation>
    </message>
    <message>
        <source>How far a second thread reads ahead of each reader.</source>
        <translation>第二个线程领先每个读取器预读多远。</translation>
    </message>
    <message>
        <source>How many processes load at once, as the workers of several GPUs do.</source>
        <translation>同时加载的进程数，如同多块 GPU 的工作进程。</translation>
    </message>
    <message>
        <source>How many readers share the work. Each byte is read by exactly one of them.</source>
        <translation>由多少个读取器分担工作。每个字节只由其中一个读取。</translation>
    </message>
    <message>
        <source>How many seconds of the load pass in one second</source>
        <translation>每秒播放加载过程的多少秒</translation>
    </message>
    <message>
        <source>How much of the file was cached cannot be known here</source>
        <translation>此处无法得知文件有多少已缓存</translation>
    </message>
    <message>
        <source>How often Compare runs each arm, at the most: from five pairs on it ends when decided</source>
        <translation>对比时 A、B 各自最多运行的次数：从第五个配对起，一旦判定即结束</translation>
    </message>
    <message>
        <source>How the page cache stood</source>
        <translation>启动时页缓存的状态</translation>
    </message>
    <message>
        <source>Huge pages</source>
        <translation>大页</translation>
    </message>
    <message>
        <source>IO-wait</source>
        <translation>I/O 等待</translation>
    </message>
    <message>
        <source>Idle: {requests}, {busy} busy. Run A or B to see the device at work.</source>
        <translation>空闲时：{requests}，{busy} 繁忙。运行 A 或 B，查看设备工作的情况。</translation>
    </message>
    <message>
        <source>Import recordings</source>
        <translation>导入记录</translation>
    </message>
    <message>
        <source>Import recording…</source>
        <translation>导入记录…</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>已导入</translation>
    </message>
    <message>
        <source>Imported runs are listed; their times are never set against others.</source>
        <translation>导入的运行会列出，但其时间不会与其他运行相比较。</translation>
    </message>
    <message>
        <source>In a plot</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>In force from the next start on</source>
        <translation>下次启动后生效</translation>
    </message>
    <message>
        <source>In the plots</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>In the table of runs</source>
        <translation>在运行表中</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>已使用</translation>
    </message>
    <message>
        <source>In use by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>It can be stopped at any time with the best so far</source>
        <translation>可随时停止，并保留目前的最佳结果</translation>
    </message>
    <message>
        <source>It has a name already: {name}.</source>
        <translation>已有名称：{name}。</translation>
    </message>
    <message>
        <source>It has a name: {name}.</source>
        <translation>它有名称：{name}。</translation>
    </message>
    <message>
        <source>It is being stopped.</source>
        <translation>正在停止。</translation>
    </message>
    <message>
        <source>It is starred.</source>
        <translation>它已加星标。</translation>
    </message>
    <message>
        <source>Its model is not the open one, or was another file then.</source>
        <translation>其模型不是当前打开的模型，或当时是另一个文件。</translation>
    </message>
    <message>
        <source>Its model is not where it was, or never was on this machine.</source>
        <translation>其模型已不在原处，或从未在此机器上。</translation>
    </message>
    <message>
        <source>Its recording goes too, so that it cannot be replayed then.</source>
        <translation>其记录也会被删除，之后无法回放。</translation>
    </message>
    <message>
        <source>JSON of all runs, for modelmon export</source>
        <translation>所有运行的 JSON，供 modelmon export 使用</translation>
    </message>
    <message>
        <source>JSON of all runs, to be opened again</source>
        <translation>所有运行的 JSON，可再次打开</translation>
    </message>
    <message>
        <source>January</source>
        <translation>1 月</translation>
    </message>
    <message>
        <source>July</source>
        <translation>7 月</translation>
    </message>
    <message>
        <source>June</source>
        <translation>6 月</translation>
    </message>
    <message>
        <source>Keep measuring</source>
        <translation>继续测量</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Keys A and B, or Tab while a plot has the focus</source>
        <translation>按 A 或 B 键，或在图表获得焦点时按 Tab</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Largest resident set of the run</source>
        <translation>此运行的最大常驻内存</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Leading so far</source>
        <translation>目前领先</translation>
    </message>
    <message>
        <source>Least memory</source>
        <translation>最少内存</translation>
    </message>
    <message>
        <source>Least memory that the system cannot take back, within 1.25 times the fastest cold start</source>
        <translation>系统无法收回的内存最少，且用时不超过最快冷启动的 1.25 倍</translation>
    </message>
    <message>
        <source>Least time to load again, with the file in the page cache</source>
        <translation>文件已在页缓存中时，再次加载时间最短</translation>
    </message>
    <message>
        <source>Least time to load, with nothing of the file in the cache</source>
        <translation>文件完全不在缓存中时，加载时间最短</translation>
    </message>
    <message>
        <source>Leave the plot</source>
        <translation>离开此图</translation>
    </message>
    <message>
        <source>Let card B load with {way}, to compare it with A</source>
        <translation>让卡片 B 以 {way} 加载，以便与 A 对比</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Limit of this cgroup</source>
        <translation>此 cgroup 的上限</translation>
    </message>
    <message>
        <source>Load once as A says</source>
        <translation>按 A 的设置加载一次</translation>
    </message>
    <message>
        <source>Load once as B says</source>
        <translation>按 B 的设置加载一次</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Loading {share}</source>
        <translation>加载中 {share}</translation>
    </message>
    <message>
        <source>Loads of this machine. Each experiment counts once, by the median of its runs; their number is in brackets. A finding needs about five of them on both sides.</source>
        <translation>本机的加载。每个实验只计一次，取其各次运行的中位数；括号内为实验数。两侧各约需五个实验才能得出结果。</translation>
    </message>
    <message>
        <source>Loads the model in this way</source>
        <translation>以此方式加载模型</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新检测</translation>
    </message>
    <message>
        <source>Look at another model beside this one</source>
        <translation>在旁边查看另一个模型</translation>
    </message>
    <message>
        <source>Looking at the machine…</source>
        <translation>正在检测本机…</translation>
    </message>
    <message>
        <source>Looking what that costs, by earlier runs or by reading a small part of the file.</source>
        <translation>正在估算开销：依据以往运行，或读取文件的一小部分。</translation>
    </message>
    <message>
        <source>Looking where {sources} keep models…</source>
        <translation>正在 {sources} 存放模型的位置查找…</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>检测中…</translation>
    </message>
    <message>
        <source>Low confidence</source>
        <translation>可信度低</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>Machine and storage</source>
        <translation>机器与存储</translation>
    </message>
    <message>
        <source>Make sample and compare</source>
        <translation>生成示例并对比</translation>
    </message>
    <message>
        <source>Making the cache cold</source>
        <translation>正在清空缓存</translation>
    </message>
    <message>
        <source>Making the cache warm</source>
        <translation>正在预热缓存</translation>
    </message>
    <message>
        <source>March</source>
        <translation>3 月</translation>
    </message>
    <message>
        <source>Maximise</source>
        <translation>最大化</translation>
    </message>
    <message>
        <source>May</source>
        <translation>5 月</translation>
    </message>
    <message>
        <source>Measure the disk</source>
        <translation>磁盘测速</translation>
    </message>
    <message>
        <source>Measure the disk to see what it can give at most.</source>
        <translation>测量磁盘，查看其最高速度。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Measuring the disk</source>
        <translation>正在测量磁盘</translation>
    </message>
    <message>
        <source>Measuring the disk was stopped.</source>
        <translation>磁盘测速已停止。</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Median of {count} reads of {size} at random places, one after another</source>
        <translation>在随机位置依次读取 {size}，共 {count} 次的中位数</translation>
    </message>
    <message>
        <source>Medium confidence</source>
        <translation>可信度中等</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory that the system cannot take back after the load</source>
        <translation>加载后系统无法回收的内存</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model contents</source>
        <translation>模型内容</translation>
    </message>
    <message>
        <source>Model {size}</source>
        <translation>模型 {size}</translation>
    </message>
    <message>
        <source>Model × 1.5</source>
        <translation>模型 × 1.5</translation>
    </message>
    <message>
        <source>Model, disk and machine have to be those of the runs so far.</source>
        <translation>模型、磁盘和机器必须与此前的运行相同。</translation>
    </message>
    <message>
        <source>Model: {model}</source>
        <translation>模型：{model}</translation>
    </message>
    <message>
        <source>Models (*.safetensors *.gguf *.safetensors.index.json)</source>
        <translation>模型 (*.safetensors *.gguf *.safetensors.index.json)</translation>
    </message>
    <message>
        <source>Models found on this machine</source>
        <translation>在本机上找到的模型</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More folders with models</source>
        <translation>更多模型文件夹</translation>
    </message>
    <message>
        <source>More for the selected runs</source>
        <translation>对所选运行的更多操作</translation>
    </message>
    <message>
        <source>More models</source>
        <translation>更多模型</translation>
    </message>
    <message>
        <source>More settings for {arm}</source>
        <translation>{arm} 的更多设置</translation>
    </message>
    <message>
        <source>Mount</source>
        <translation>挂载点</translation>
    </message>
    <message>
        <source>Move to what comes after</source>
        <translation>移到之后</translation>
    </message>
    <message>
        <source>Move to what was before</source>
        <translation>移到之前</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>预设名称</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>新建窗口</translation>
    </message>
    <message>
        <source>Next panel</source>
        <translation>下一个面板</translation>
    </message>
    <message>
        <source>No block device with counters lies under this model.</source>
        <translation>此模型之下没有带计数器的块设备。</translation>
    </message>
    <message>
        <source>No change was seen</source>
        <translation>未发现变化</translation>
    </message>
    <message>
        <source>No difference seen</source>
        <translation>未见差异</translation>
    </message>
    <message>
        <source>No load was measured both before {day} and since.</source>
        <translation>没有在 {day} 前后都测量过的加载。</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>未打开模型。</translation>
    </message>
    <message>
        <source>No model was opened yet</source>
        <translation>尚未打开过模型</translation>
    </message>
    <message>
        <source>No models were found where {sources} keep them. Add folders in Settings.</source>
        <translation>在 {sources} 存放模型的位置未找到模型。可在设置中添加文件夹。</translation>
    </message>
    <message>
        <source>No run has what the row above asks for.</source>
        <translation>没有运行符合上一行的条件。</translation>
    </message>
    <message>
        <source>No run is recorded yet. Open a model and run it, or drop a recording here.</source>
        <translation>尚无已记录的运行。请打开模型并运行，或将记录拖放到此处。</translation>
    </message>
    <message>
        <source>No run of this model is recorded yet. Run A, Run B or Compare A/B adds some.</source>
        <translation>此模型尚无已记录的运行。“运行 A”“运行 B”或“对比 A/B”会添加。</translation>
    </message>
    <message>
        <source>No run was deleted in this window.</source>
        <translation>此窗口中没有删除过运行。</translation>
    </message>
    <message>
        <source>No sample so far.</source>
        <translation>尚无采样。</translation>
    </message>
    <message>
        <source>No shortcut is called so.</source>
        <translation>没有匹配的快捷键。</translation>
    </message>
    <message>
        <source>No way to load this model can run here.</source>
        <translation>这里没有能加载此模型的方式。</translation>
    </message>
    <message>
        <source>None of these runs decodes, or it is not over yet.</source>
        <translation>这些运行都不解码，或尚未结束。</translation>
    </message>
    <message>
        <source>Not asked: mincore takes too long while a load runs.</source>
        <translation>未查询：加载期间 mincore 耗时过长。</translation>
    </message>
    <message>
        <source>Not beaten so far</source>
        <translation>目前未被超越</translation>
    </message>
    <message>
        <source>Not cold: {share} of the file was cached</source>
        <translation>不是冷启动：文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>Not counted</source>
        <translation>未计入</translation>
    </message>
    <message>
        <source>Not counted: {why}</source>
        <translation>未计入：{why}</translation>
    </message>
    <message>
        <source>Not finished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>Not in the plots</source>
        <translation>不在图中</translation>
    </message>
    <message>
        <source>Not in the race: {names}.</source>
        <translation>未参与：{names}。</translation>
    </message>
    <message>
        <source>Not in the race: {why}</source>
        <translation>未参与：{why}</translation>
    </message>
    <message>
        <source>Not kept in the history: {problem}</source>
        <translation>未保存到历史：{problem}</translation>
    </message>
    <message>
        <source>Not known.</source>
        <translation>未知。</translation>
    </message>
    <message>
        <source>Not known: {reason}.</source>
        <translation>未知：{reason}。</translation>
    </message>
    <message>
        <source>Not looked yet.</source>
        <translation>尚未检测。</translation>
    </message>
    <message>
        <source>Not recorded.</source>
        <translation>未记录。</translation>
    </message>
    <message>
        <source>Not recorded: {share} of the bytes.</source>
        <translation>未记录：字节的 {share}。</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>Not seen: {folders}, which cannot be read or does not answer.</source>
        <translation>未能查看：{folders}，无法读取或没有响应。</translation>
    </message>
    <message>
        <source>Not starred</source>
        <translation>未加星标</translation>
    </message>
    <message>
        <source>Not warm: {share} of the file was cached</source>
        <translation>不是热启动：文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>Not while something is under way.</source>
        <translation>任务进行中不可用。</translation>
    </message>
    <message>
        <source>Not while the window is {doing}.</source>
        <translation>窗口{doing}时不可用。</translation>
    </message>
    <message>
        <source>Nothing but plots</source>
        <translation>只显示图表</translation>
    </message>
    <message>
        <source>Nothing is called that.</source>
        <translation>没有匹配的名称。</translation>
    </message>
    <message>
        <source>Nothing is ever sent anywhere.</source>
        <translation>绝不会向任何地方发送数据。</translation>
    </message>
    <message>
        <source>Nothing is kept yet.</source>
        <translation>尚未保存任何内容。</translation>
    </message>
    <message>
        <source>Nothing is recommended.</source>
        <translation>没有推荐。</translation>
    </message>
    <message>
        <source>Nothing is under way.</source>
        <translation>没有正在进行的工作。</translation>
    </message>
    <message>
        <source>Nothing of it is counted.</source>
        <translation>结果不计入。</translation>
    </message>
    <message>
        <source>Nothing of it is kept.</source>
        <translation>结果未保留。</translation>
    </message>
    <message>
        <source>Nothing was loaded.</source>
        <translation>没有加载任何内容。</translation>
    </message>
    <message>
        <source>Nothing was seen that would hurt a load.</source>
        <translation>没有发现会拖慢加载的问题。</translation>
    </message>
    <message>
        <source>November</source>
        <translation>11 月</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Now {way}: {doing}</source>
        <translation>当前 {way}：{doing}</translation>
    </message>
    <message>
        <source>Numbers of requests by size, rounded down to a power of two</source>
        <translation>按大小统计的请求数，大小向下取整到 2 的幂</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>October</source>
        <translation>10 月</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>所属实验</translation>
    </message>
    <message>
        <source>Of its runs that count, for the whole model</source>
        <translation>其计入的各次运行加载整个模型的用时</translation>
    </message>
    <message>
        <source>Of the machine and the load, while it runs</source>
        <translation>运行期间对机器和加载的采样</translation>
    </message>
    <message>
        <source>On</source>
        <translation>所在磁盘</translation>
    </message>
    <message>
        <source>On {storage}: at best about {time} cold, by rule of thumb ({rate} for {kind}).</source>
        <translation>位于 {storage}：按经验值（{kind} 为 {rate}），冷启动最快约 {time}。</translation>
    </message>
    <message>
        <source>On {storage}: measure the disk for the best possible time.</source>
        <translation>位于 {storage}：运行磁盘测速可得知最快时间。</translation>
    </message>
    <message>
        <source>Only headers are read.</source>
        <translation>只读取文件头。</translation>
    </message>
    <message>
        <source>Only its headers are read.</source>
        <translation>只读取其文件头。</translation>
    </message>
    <message>
        <source>Only starred runs</source>
        <translation>仅显示加星标的运行</translation>
    </message>
    <message>
        <source>Only this machine</source>
        <translation>仅限本机</translation>
    </message>
    <message>
        <source>Only this machine and disk</source>
        <translation>仅限本机和此磁盘</translation>
    </message>
    <message>
        <source>Only this machine&apos;s page cache is seen. What {filesystem} keeps in a cache of its own cannot be.</source>
        <translation>只能看到本机的页缓存，看不到 {filesystem} 自身缓存中的内容。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>Open a model or a recording</source>
        <translation>打开模型或记录</translation>
    </message>
    <message>
        <source>Open a model to measure it.</source>
        <translation>打开一个模型来测量它。</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open its model</source>
        <translation>打开其模型</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Open recording</source>
        <translation>打开记录</translation>
    </message>
    <message>
        <source>Open recording…</source>
        <translation>打开记录…</translation>
    </message>
    <message>
        <source>Open the folder of the history</source>
        <translation>打开历史所在的文件夹</translation>
    </message>
    <message>
        <source>Opened {file} in {arm}.</source>
        <translation>已在 {arm} 中打开 {file}。</translation>
    </message>
    <message>
        <source>Opened {file}.</source>
        <translation>已打开 {file}。</translation>
    </message>
    <message>
        <source>Opening the file for this look may have dropped more from the cache.</source>
        <translation>为此次查看打开文件，可能又丢弃了部分缓存。</translation>
    </message>
    <message>
        <source>Opening the files</source>
        <translation>正在打开文件</translation>
    </message>
    <message>
        <source>Opening {file}</source>
        <translation>正在打开 {file}</translation>
    </message>
    <message>
        <source>Opening {file} was stopped.</source>
        <translation>已停止打开 {file}。</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Order of runs</source>
        <translation>运行顺序</translation>
    </message>
    <message>
        <source>Order of the blocks</source>
        <translation>块的顺序</translation>
    </message>
    <message>
        <source>Others used the disk during the probe: {best}, perhaps less.</source>
        <translation>测速期间有其他程序使用磁盘：{best}，实际可能更短。</translation>
    </message>
    <message>
        <source>Outside of the load</source>
        <translation>加载之外</translation>
    </message>
    <message>
        <source>Overlaid</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Overlaid runs</source>
        <translation>叠加的运行</translation>
    </message>
    <message>
        <source>Overlay in the plots</source>
        <translation>叠加到图中</translation>
    </message>
    <message>
        <source>Own folder</source>
        <translation>自选文件夹</translation>
    </message>
    <message>
        <source>PSI io</source>
        <translation>PSI io</translation>
    </message>
    <message>
        <source>PSI io is not known here: it takes Linux 4.20 with pressure figures on.</source>
        <translation>此处无法得知 PSI io：需要 Linux 4.20 并启用压力指标。</translation>
    </message>
    <message>
        <source>PSI io now</source>
        <translation>当前 PSI io</translation>
    </message>
    <message>
        <source>Page cache</source>
        <translation>页缓存</translation>
    </message>
    <message>
        <source>Page cache along the files</source>
        <translation>沿文件的页缓存</translation>
    </message>
    <message>
        <source>Page faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>Page faults are not known here: only Linux counts them for each process.</source>
        <translation>此处无法得知缺页数：只有 Linux 按进程统计。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Part of a block&apos;s or tensor&apos;s name, or a type: mlp, layers.7, Q4_K</source>
        <translation>块名或张量名的一部分，或类型：mlp、layers.7、Q4_K</translation>
    </message>
    <message>
        <source>Part {size}</source>
        <translation>部分 {size}</translation>
    </message>
    <message>
        <source>Partly cached</source>
        <translation>部分已缓存</translation>
    </message>
    <message>
        <source>Partly cached start</source>
        <translation>部分缓存启动</translation>
    </message>
    <message>
        <source>Parts by bytes</source>
        <translation>各部分所占字节</translation>
    </message>
    <message>
        <source>Parts of the model are read; what is cached stays cached</source>
        <translation>读取模型的若干部分；已缓存的内容保持缓存</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Peak RSS</source>
        <translation>RSS 峰值</translation>
    </message>
    <message>
        <source>Per-block timings</source>
        <translation>各块用时</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>Private memory: {private}. Shared memory: {shared}.</source>
        <translation>私有内存：{private}。共享内存：{shared}。</translation>
    </message>
    <message>
        <source>Probably hurts: {what}</source>
        <translation>可能的阻碍：{what}</translation>
    </message>
    <message>
        <source>Probe, {age}</source>
        <translation>磁盘测速，{age}</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>RAM {size}</source>
        <translation>内存 {size}</translation>
    </message>
    <message>
        <source>RSS</source>
        <translation>RSS</translation>
    </message>
    <message>
        <source>RSS now</source>
        <translation>当前 RSS</translation>
    </message>
    <message>
        <source>Race all ways to load this model that can run here, and recommend one</source>
        <translation>让此处可用的所有加载方式相互竞速，并推荐其一</translation>
    </message>
    <message>
        <source>Race anyway</source>
        <translation>仍然开始</translation>
    </message>
    <message>
        <source>Race libraries too</source>
        <translation>库也参与</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Ranking of the race</source>
        <translation>寻优排名</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>Ratio {low}–{high} (range)</source>
        <translation>比值 {low}–{high}（范围）</translation>
    </message>
    <message>
        <source>Ratio {low}–{high} ({coverage})</source>
        <translation>比值 {low}–{high}（{coverage}）</translation>
    </message>
    <message>
        <source>Ratio {ratio}</source>
        <translation>比值 {ratio}</translation>
    </message>
    <message>
        <source>Ratio: how many times as fast as the runs above. No interval is given here; the verdict of Compare A/B has one.</source>
        <translation>比值：速度是上面所选运行的多少倍。此处不给出区间；A/B 对比的结论中有区间。</translation>
    </message>
    <message>
        <source>Read from {file}.</source>
        <translation>读取自 {file}。</translation>
    </message>
    <message>
        <source>Readahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>Reader</source>
        <translation>读取器</translation>
    </message>
    <message>
        <source>Reader {number}</source>
        <translation>读取器 {number}</translation>
    </message>
    <message>
        <source>Readers share colours: every {step} the same.</source>
        <translation>读取器共用颜色：每 {step} 个循环一次。</translation>
    </message>
    <message>
        <source>Reading front to back</source>
        <translation>正在顺序读取</translation>
    </message>
    <message>
        <source>Reading single blocks at random places</source>
        <translation>正在随机位置读取单块</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>正在读取历史</translation>
    </message>
    <message>
        <source>Reading through the page cache</source>
        <translation>正在经由页缓存读取</translation>
    </message>
    <message>
        <source>Reading with one reader</source>
        <translation>正在用 1 个读取器读取</translation>
    </message>
    <message>
        <source>Reading with {count} readers</source>
        <translation>正在用 {count} 个读取器读取</translation>
    </message>
    <message>
        <source>Reading {file}</source>
        <translation>正在读取 {file}</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Ready after</source>
        <translation>就绪用时</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>Recommendation in full</source>
        <translation>完整建议</translation>
    </message>
    <message>
        <source>Recording (*.jsonl)</source>
        <translation>记录 (*.jsonl)</translation>
    </message>
    <message>
        <source>Recordings (*.jsonl)</source>
        <translation>记录 (*.jsonl)</translation>
    </message>
    <message>
        <source>Recordings and comparisons (*.jsonl *.json)</source>
        <translation>记录和对比 (*.jsonl *.json)</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Remove star</source>
        <translation>移除星标</translation>
    </message>
    <message>
        <source>Remove the selected folder</source>
        <translation>移除所选文件夹</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replaces your preset of this name.</source>
        <translation>将替换您的同名预设。</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>Replay what is shown</source>
        <translation>回放当前显示的运行</translation>
    </message>
    <message>
        <source>Request size</source>
        <translation>请求大小</translation>
    </message>
    <message>
        <source>Request sizes</source>
        <translation>请求大小</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Requests by size</source>
        <translation>按大小统计的请求</translation>
    </message>
    <message>
        <source>Reset {arm}</source>
        <translation>重置 {arm}</translation>
    </message>
    <message>
        <source>Rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>Restart (warm)</source>
        <translation>再次启动（热）</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Rule of thumb, not measured here: {rule}</source>
        <translation>经验法则，未在此测量：{rule}</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run A</source>
        <translation>运行 A</translation>
    </message>
    <message>
        <source>Run A and B in turns, each in fresh processes, and judge</source>
        <translation>轮流运行 A 和 B，每次都用全新进程，然后给出结论</translation>
    </message>
    <message>
        <source>Run A or B to see how much of the time goes to waiting.</source>
        <translation>运行 A 或 B，查看有多少时间用于等待。</translation>
    </message>
    <message>
        <source>Run A or B to see memory in use.</source>
        <translation>运行 A 或 B，查看内存占用。</translation>
    </message>
    <message>
        <source>Run A or B to see page faults.</source>
        <translation>运行 A 或 B，查看缺页。</translation>
    </message>
    <message>
        <source>Run A or B to see processor time.</source>
        <translation>运行 A 或 B，查看处理器时间。</translation>
    </message>
    <message>
        <source>Run A or B to see throughput.</source>
        <translation>运行 A 或 B，查看吞吐量。</translation>
    </message>
    <message>
        <source>Run A or B to see what each block costs.</source>
        <translation>运行 A 或 B，查看各块的耗时。</translation>
    </message>
    <message>
        <source>Run A or B to see what of the files is in memory.</source>
        <translation>运行 A 或 B，查看文件的哪些部分在内存中。</translation>
    </message>
    <message>
        <source>Run A or B to see what the device does.</source>
        <translation>运行 A 或 B，查看设备在做什么。</translation>
    </message>
    <message>
        <source>Run A or B to see where it reads, and when.</source>
        <translation>运行 A 或 B，查看它在何时读取何处。</translation>
    </message>
    <message>
        <source>Run A or Run B measures one arm once.</source>
        <translation>“运行 A”或“运行 B”只测量一侧一次。</translation>
    </message>
    <message>
        <source>Run B</source>
        <translation>运行 B</translation>
    </message>
    <message>
        <source>Run anyway</source>
        <translation>仍然运行</translation>
    </message>
    <message>
        <source>Run it in a terminal to see why.</source>
        <translation>请在终端中运行以查看原因。</translation>
    </message>
    <message>
        <source>Run {number} of {count}: {arm}, {state}</source>
        <translation>第 {number} 次运行（共 {count} 次）：{arm}，{state}</translation>
    </message>
    <message>
        <source>Run {number}, {arm} {strategy}: {time}, {rate}, {start}</source>
        <translation>运行 {number}，{arm} {strategy}：{time}，{rate}，{start}</translation>
    </message>
    <message>
        <source>Running, run {number}</source>
        <translation>运行中，第 {number} 次</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Runs that are done stay in the history.</source>
        <translation>已完成的运行会保留在历史中。</translation>
    </message>
    <message>
        <source>Runs that count, + runs that do not</source>
        <translation>计入的运行数，+ 未计入的运行数</translation>
    </message>
    <message>
        <source>Runs that started as asked ÷ runs made</source>
        <translation>按要求启动的运行 ÷ 已进行的运行</translation>
    </message>
    <message>
        <source>Sample models: {path}</source>
        <translation>示例模型：{path}</translation>
    </message>
    <message>
        <source>Sampler idle</source>
        <translation>采样器空闲</translation>
    </message>
    <message>
        <source>Sampler {rate}</source>
        <translation>采样器 {rate}</translation>
    </message>
    <message>
        <source>Sampler {rate}, up to {late} late</source>
        <translation>采样器 {rate}，最多晚 {late}</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as own preset</source>
        <translation>保存为自定义预设</translation>
    </message>
    <message>
        <source>Save as own preset…</source>
        <translation>保存为自定义预设…</translation>
    </message>
    <message>
        <source>Save plot</source>
        <translation>保存图</translation>
    </message>
    <message>
        <source>Save plot…</source>
        <translation>保存图…</translation>
    </message>
    <message>
        <source>Save recording</source>
        <translation>保存记录</translation>
    </message>
    <message>
        <source>Save recording…</source>
        <translation>保存记录…</translation>
    </message>
    <message>
        <source>Save the selected or the latest run as it was recorded</source>
        <translation>按记录原样保存所选或最近的运行</translation>
    </message>
    <message>
        <source>Save to</source>
        <translation>保存到</translation>
    </message>
    <message>
        <source>Saved run {number} to {file}.</source>
        <translation>已将运行 {number} 保存到 {file}。</translation>
    </message>
    <message>
        <source>Saved run {number} to {path}.</source>
        <translation>运行 {number} 已保存到 {path}。</translation>
    </message>
    <message>
        <source>Saved {path}</source>
        <translation>已保存 {path}</translation>
    </message>
    <message>
        <source>Saved {path}.</source>
        <translation>已保存 {path}。</translation>
    </message>
    <message>
        <source>Search by what it does or by key</source>
        <translation>按功能或按键搜索</translation>
    </message>
    <message>
        <source>Search shortcuts</source>
        <translation>搜索快捷键</translation>
    </message>
    <message>
        <source>Searched beside the usual caches of models</source>
        <translation>除常用的模型缓存外，还在这些文件夹中查找</translation>
    </message>
    <message>
        <source>Searched: {sources}. Add folders in Settings.</source>
        <translation>已查找：{sources}。可在设置中添加文件夹。</translation>
    </message>
    <message>
        <source>Second: {way}</source>
        <translation>第二名：{way}</translation>
    </message>
    <message>
        <source>Second: {way}. {when}</source>
        <translation>第二名：{way}。{when}</translation>
    </message>
    <message>
        <source>See in a few seconds what storage and memory can do at most; reads only the model</source>
        <translation>几秒内测出存储和内存的上限；只读取模型文件</translation>
    </message>
    <message>
        <source>See modelmon doctor.</source>
        <translation>参见 modelmon doctor。</translation>
    </message>
    <message>
        <source>See what of the open model is in memory now.</source>
        <translation>查看当前模型的哪些部分现在在内存中。</translation>
    </message>
    <message>
        <source>See why a model loads slowly, and load it faster.</source>
        <translation>看清模型为何加载缓慢，并让它加载得更快。</translation>
    </message>
    <message>
        <source>Seen as soon as nothing is measured.</source>
        <translation>测量结束后立即检测。</translation>
    </message>
    <message>
        <source>Seen: {evidence}</source>
        <translation>依据：{evidence}</translation>
    </message>
    <message>
        <source>Seen: {evidence}.</source>
        <translation>依据：{evidence}。</translation>
    </message>
    <message>
        <source>Select a folder first.</source>
        <translation>请先选择一个文件夹。</translation>
    </message>
    <message>
        <source>Select one run.</source>
        <translation>请选择一次运行。</translation>
    </message>
    <message>
        <source>Select runs of the history.</source>
        <translation>请选择历史中的运行。</translation>
    </message>
    <message>
        <source>Select runs whose events are kept.</source>
        <translation>请选择保留了事件的运行。</translation>
    </message>
    <message>
        <source>Select two or more runs of the history.</source>
        <translation>请选择历史中的两次或更多运行。</translation>
    </message>
    <message>
        <source>September</source>
        <translation>9 月</translation>
    </message>
    <message>
        <source>Set against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Setting the cache</source>
        <translation>正在设置缓存</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings changed</source>
        <translation>设置已更改</translation>
    </message>
    <message>
        <source>Settings: {path}</source>
        <translation>设置：{path}</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shard</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Share of the file in the page cache, known by {source}</source>
        <translation>文件在页缓存中的占比，由 {source} 得知</translation>
    </message>
    <message>
        <source>Share of the last moments in which tasks of this machine stalled for I/O</source>
        <translation>最近一段时间内本机任务因 I/O 停顿的占比</translation>
    </message>
    <message>
        <source>Share of the readers&apos; time that they were off the CPU for storage</source>
        <translation>读取器因等待存储而离开 CPU 的时间占比</translation>
    </message>
    <message>
        <source>Share of the readers&apos; time that they were off the CPU for storage, in the run in the middle</source>
        <translation>读取器因等待存储而离开 CPU 的时间占比（取居中的那次运行）</translation>
    </message>
    <message>
        <source>Show A</source>
        <translation>显示 A</translation>
    </message>
    <message>
        <source>Show A, both, B in turn</source>
        <translation>轮流显示 A、两者、B</translation>
    </message>
    <message>
        <source>Show B</source>
        <translation>显示 B</translation>
    </message>
    <message>
        <source>Show all plots</source>
        <translation>显示全部图表</translation>
    </message>
    <message>
        <source>Show both</source>
        <translation>同时显示</translation>
    </message>
    <message>
        <source>Show how large the requests were.</source>
        <translation>显示各请求的大小。</translation>
    </message>
    <message>
        <source>Show in A</source>
        <translation>在 A 中显示</translation>
    </message>
    <message>
        <source>Show in B</source>
        <translation>在 B 中显示</translation>
    </message>
    <message>
        <source>Show in its arm</source>
        <translation>在所属一侧显示</translation>
    </message>
    <message>
        <source>Show or hide {series}.</source>
        <translation>显示或隐藏 {series}。</translation>
    </message>
    <message>
        <source>Show the usual plots</source>
        <translation>显示常用图表</translation>
    </message>
    <message>
        <source>Show the whole axis again</source>
        <translation>重新显示整个坐标轴</translation>
    </message>
    <message>
        <source>Show {series}</source>
        <translation>显示 {series}</translation>
    </message>
    <message>
        <source>Shown as soon as the load is ready.</source>
        <translation>加载就绪后立即显示。</translation>
    </message>
    <message>
        <source>Shown when a model is open.</source>
        <translation>打开模型后显示。</translation>
    </message>
    <message>
        <source>Shown when an axis was changed so that it is none of the others.</source>
        <translation>更改参数后与其他策略都不相同时显示。</translation>
    </message>
    <message>
        <source>Shown when the load is over.</source>
        <translation>加载结束后显示。</translation>
    </message>
    <message>
        <source>Side panel</source>
        <translation>侧边栏</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Size of one request.</source>
        <translation>单个请求的大小。</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Slower now</source>
        <translation>现在更慢</translation>
    </message>
    <message>
        <source>Slowest first</source>
        <translation>最慢在前</translation>
    </message>
    <message>
        <source>Some of the deleted runs could not be brought back.</source>
        <translation>部分被删除的运行无法恢复。</translation>
    </message>
    <message>
        <source>Something in modelmon went wrong. The window stays open.</source>
        <translation>modelmon 出现错误。窗口会保持打开。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Speed of the replay</source>
        <translation>回放速度</translation>
    </message>
    <message>
        <source>Standing</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>加星标</translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>已加星标</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Start state</source>
        <translation>启动状态</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Starting a fresh worker</source>
        <translation>正在启动新的工作进程</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop Compare A/B and close?</source>
        <translation>停止“对比 A/B”并关闭？</translation>
    </message>
    <message>
        <source>Stop Find best and close?</source>
        <translation>停止“寻找最佳”并关闭？</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Stop what is under way</source>
        <translation>停止正在进行的工作</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Stopping Find best</source>
        <translation>正在停止寻找最佳</translation>
    </message>
    <message>
        <source>Stopping {arm}</source>
        <translation>正在停止 {arm}</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Storage: {kind}, {rate} at the most.</source>
        <translation>存储：{kind}，最高 {rate}。</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Strategy of {arm}</source>
        <translation>{arm} 的策略</translation>
    </message>
    <message>
        <source>Strategy to export</source>
        <translation>要导出的策略</translation>
    </message>
    <message>
        <source>Strategy {arm}</source>
        <translation>策略 {arm}</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换空间</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 和 B</translation>
    </message>
    <message>
        <source>Take {run} out of the plots</source>
        <translation>从图表中移除 {run}</translation>
    </message>
    <message>
        <source>Taking recordings into the history was stopped.</source>
        <translation>收入记录的操作已停止。</translation>
    </message>
    <message>
        <source>Taking {count} recordings into the history</source>
        <translation>正在将 {count} 份记录收入历史</translation>
    </message>
    <message>
        <source>Taking {file} into the history</source>
        <translation>正在将 {file} 收入历史</translation>
    </message>
    <message>
        <source>Tell the desktop when long work ends unseen</source>
        <translation>长时间工作在后台结束时发送桌面通知</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tensors by size</source>
        <translation>按大小分布的张量</translation>
    </message>
    <message>
        <source>Text of {file}</source>
        <translation>{file} 的内容</translation>
    </message>
    <message>
        <source>That is too few to rank them: take a longer budget.</source>
        <translation>这不足以给它们排名：请选择更长的预算。</translation>
    </message>
    <message>
        <source>The available memory decides. Close other programs, or compare a part of the model.</source>
        <translation>由可用内存决定。请关闭其他程序，或只对比模型的一部分。</translation>
    </message>
    <message>
        <source>The bytes are mapped, evictable: the kernel may drop them and read them again.</source>
        <translation>数据为映射方式，可被回收：内核可能丢弃后重新读取。</translation>
    </message>
    <message>
        <source>The bytes are owned: private memory, which the kernel cannot drop.</source>
        <translation>数据位于私有内存，内核无法丢弃。</translation>
    </message>
    <message>
        <source>The bytes passed through a small buffer: none of them are kept.</source>
        <translation>字节经过一个小缓冲区，未保留。</translation>
    </message>
    <message>
        <source>The cgroup&apos;s limit decides. Close other programs, or compare a part of the model.</source>
        <translation>由 cgroup 的限制决定。请关闭其他程序，或只对比模型的一部分。</translation>
    </message>
    <message>
        <source>The colour of a point tells which reader made the request.</source>
        <translation>点的颜色表示发出请求的读取器。</translation>
    </message>
    <message>
        <source>The disk is measured, after {time}</source>
        <translation>磁盘测速已完成，用时 {time}</translation>
    </message>
    <message>
        <source>The disk; of another machine, that too</source>
        <translation>磁盘；若为其他机器，也注明机器</translation>
    </message>
    <message>
        <source>The estimate cannot be understood: {error}.</source>
        <translation>无法理解估算结果：{error}。</translation>
    </message>
    <message>
        <source>The estimate was stopped.</source>
        <translation>估算已停止。</translation>
    </message>
    <message>
        <source>The events of this run are not kept any more.</source>
        <translation>此运行的事件已不再保留。</translation>
    </message>
    <message>
        <source>The figures are of the settings before.</source>
        <translation>这些数字来自之前的设置。</translation>
    </message>
    <message>
        <source>The figures of these runs show no single thing that holds them back. This is no verdict on A and B.</source>
        <translation>这些运行的数据没有显示出单一的瓶颈。这不是对 A 和 B 的结论。</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>The file is put out of the page cache before each run</source>
        <translation>每次运行前将文件移出页缓存</translation>
    </message>
    <message>
        <source>The file is read into the page cache before each run</source>
        <translation>每次运行前将文件读入页缓存</translation>
    </message>
    <message>
        <source>The files have changed since the model was opened. Open it again.</source>
        <translation>打开模型后文件已更改。请重新打开。</translation>
    </message>
    <message>
        <source>The first round reads {size}, at {rate} by a short look.</source>
        <translation>第一轮读取 {size}，据短暂测量速度为 {rate}。</translation>
    </message>
    <message>
        <source>The first round reads {size}, at {rate}, the median of {count} runs in the history.</source>
        <translation>第一轮读取 {size}，速度按历史中 {count} 次运行的中位数 {rate} 计。</translation>
    </message>
    <message>
        <source>The folder is made with the first run.</source>
        <translation>首次运行时创建该文件夹。</translation>
    </message>
    <message>
        <source>The history does not have this run.</source>
        <translation>历史中没有此运行。</translation>
    </message>
    <message>
        <source>The history in {folder} cannot be used: {reason}.</source>
        <translation>无法使用 {folder} 中的历史：{reason}。</translation>
    </message>
    <message>
        <source>The kernel reports it as not rotating; of virtual disks that is often wrong.</source>
        <translation>内核报告它为非旋转式磁盘；对虚拟磁盘而言这常常不准。</translation>
    </message>
    <message>
        <source>The kernel reports it as rotating; of virtual disks that is often wrong.</source>
        <translation>内核报告它为旋转式磁盘；对虚拟磁盘而言这常常不准。</translation>
    </message>
    <message>
        <source>The line is the first of the ranking; left of it is faster</source>
        <translation>竖线为排名第一者；线左侧更快</translation>
    </message>
    <message>
        <source>The load did not end.</source>
        <translation>加载未结束。</translation>
    </message>
    <message>
        <source>The load was over before another look.</source>
        <translation>再次检测之前加载已结束。</translation>
    </message>
    <message>
        <source>The load was stopped.</source>
        <translation>加载已停止。</translation>
    </message>
    <message>
        <source>The loaders&apos; processor time is not known here.</source>
        <translation>此处无法得知加载进程的处理器时间。</translation>
    </message>
    <message>
        <source>The medians say otherwise: they are of all runs, the ratio is of the {rounds} rounds in which both ran.</source>
        <translation>中位数的结论相反：它取自所有运行，而比值取自两者都运行的 {rounds} 轮。</translation>
    </message>
    <message>
        <source>The medians say otherwise: they are of all runs, while the ratio allows for rounds in which everything was slow. There are too few runs to know.</source>
        <translation>中位数的结论相反：它取自所有运行，而比值考虑了某些轮次整体偏慢。运行次数太少，无法断定。</translation>
    </message>
    <message>
        <source>The model lies in memory ({filesystem}): no read is past the page cache there.</source>
        <translation>模型位于内存中（{filesystem}）：那里没有绕过页缓存的读取。</translation>
    </message>
    <message>
        <source>The page cache is left as it is</source>
        <translation>页缓存保持原样</translation>
    </message>
    <message>
        <source>The plan cannot be understood: {why}.</source>
        <translation>无法理解该计划：{why}。</translation>
    </message>
    <message>
        <source>The probe ended without a result.</source>
        <translation>磁盘测速结束，但没有结果。</translation>
    </message>
    <message>
        <source>The probe is not kept: {why}</source>
        <translation>磁盘测速结果未保存：{why}</translation>
    </message>
    <message>
        <source>The race ended before its turn</source>
        <translation>尚未轮到它，竞速就已结束</translation>
    </message>
    <message>
        <source>The run did not start as asked.</source>
        <translation>运行未按要求的状态开始。</translation>
    </message>
    <message>
        <source>The run is over, after {time}</source>
        <translation>运行已结束，用时 {time}</translation>
    </message>
    <message>
        <source>The run is read event by event.</source>
        <translation>正在逐个读取事件。</translation>
    </message>
    <message>
        <source>The run of {way} goes into the history</source>
        <translation>正在将 {way} 的运行存入历史</translation>
    </message>
    <message>
        <source>The runs after {done} of at most {total} pairs are kept as {reference}: Resume goes on with them.</source>
        <translation>{done} 个配对（最多 {total} 个）的运行已保存为 {reference}：点“继续”即可接着进行。</translation>
    </message>
    <message>
        <source>The runs after {done} of {total} pairs are kept as {reference}: Resume goes on with them.</source>
        <translation>{done} / {total} 个配对的运行已保存为 {reference}：点“继续”即可接着进行。</translation>
    </message>
    <message>
        <source>The sample model is written, after {time}</source>
        <translation>示例模型已写好，用时 {time}</translation>
    </message>
    <message>
        <source>The settings cannot change while a run is under way.</source>
        <translation>运行进行中无法更改设置。</translation>
    </message>
    <message>
        <source>The settings of a new installation; folders are kept</source>
        <translation>恢复为全新安装时的设置；保留文件夹</translation>
    </message>
    <message>
        <source>The settings were changed since: this was A {a} against B {b}.</source>
        <translation>此后设置已更改：当时是 A {a} 对 B {b}。</translation>
    </message>
    <message>
        <source>The storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>The storage could not be measured.</source>
        <translation>无法测量存储。</translation>
    </message>
    <message>
        <source>The storage hangs or is very slow: check its mount.</source>
        <translation>存储挂起或非常慢：请检查其挂载。</translation>
    </message>
    <message>
        <source>The storage has not answered for {seconds} s: its mount may hang.</source>
        <translation>存储已有 {seconds} s 没有响应：其挂载点可能已挂起。</translation>
    </message>
    <message>
        <source>The whole comparison</source>
        <translation>完整的对比</translation>
    </message>
    <message>
        <source>The whole ranking</source>
        <translation>完整的排名</translation>
    </message>
    <message>
        <source>There already, and replaced: {files}</source>
        <translation>已存在，将被替换：{files}</translation>
    </message>
    <message>
        <source>There is no library called {name} here.</source>
        <translation>这里没有名为 {name} 的库。</translation>
    </message>
    <message>
        <source>There is no run to replay yet.</source>
        <translation>还没有可回放的运行。</translation>
    </message>
    <message>
        <source>There is no run to save yet.</source>
        <translation>还没有可保存的运行。</translation>
    </message>
    <message>
        <source>There is no verdict. The runs before stand in Runs.</source>
        <translation>没有结论。此前的运行保留在“运行”中。</translation>
    </message>
    <message>
        <source>There is none yet.</source>
        <translation>还没有自定义预设。</translation>
    </message>
    <message>
        <source>There is nothing to export yet: use Compare A/B or Find best first.</source>
        <translation>还没有可导出的内容：请先使用“对比 A/B”或“寻找最佳”。</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>本模型</translation>
    </message>
    <message>
        <source>This recording was made before cached parts were recorded.</source>
        <translation>此记录生成时尚不记录已缓存的部分。</translation>
    </message>
    <message>
        <source>This recording was made before cached parts were recorded: {share} of the bytes.</source>
        <translation>此记录生成时尚不记录已缓存的部分：字节的 {share}。</translation>
    </message>
    <message>
        <source>This run is of no stopped comparison or race of this machine and disk.</source>
        <translation>此运行不属于本机器和磁盘上已停止的对比或寻优。</translation>
    </message>
    <message>
        <source>This run loaded other files than the open ones.</source>
        <translation>此运行加载的文件与当前打开的不同。</translation>
    </message>
    <message>
        <source>This window</source>
        <translation>此窗口</translation>
    </message>
    <message>
        <source>Those that are installed and can load this model. They cannot be exported.</source>
        <translation>已安装且能加载此模型的库。它们无法导出。</translation>
    </message>
    <message>
        <source>Through the cache {rate}</source>
        <translation>经由缓存 {rate}</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Tick what is to be written.</source>
        <translation>请勾选要写出的内容。</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>紧张</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Time of the replay</source>
        <translation>回放时间</translation>
    </message>
    <message>
        <source>Time ÷ first</source>
        <translation>时间 ÷ 第一名</translation>
    </message>
    <message>
        <source>Time ÷ that of the first in the rounds in which both ran, with its bounds; with ~ they are a rough range, for want of runs</source>
        <translation>与第一名在两者都运行的轮次中的时间之比及其上下限；带 ~ 的因运行次数不足，只是大致范围</translation>
    </message>
    <message>
        <source>Timed: {phases}</source>
        <translation>计时部分：{phases}</translation>
    </message>
    <message>
        <source>To do: {remedy}</source>
        <translation>建议：{remedy}</translation>
    </message>
    <message>
        <source>Too few experiments</source>
        <translation>实验太少</translation>
    </message>
    <message>
        <source>Too few runs to rank</source>
        <translation>运行次数太少，无法排名</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>过大</translation>
    </message>
    <message>
        <source>Took 1 of {count} recordings into the history: run {run}.</source>
        <translation>已将 {count} 份记录中的 1 份收入历史：运行 {run}。</translation>
    </message>
    <message>
        <source>Took {path} into the history as run {run_id}.</source>
        <translation>已将 {path} 收入历史，编号为运行 {run_id}。</translation>
    </message>
    <message>
        <source>Took {taken} of {count} recordings into the history: runs {runs}.</source>
        <translation>已将 {count} 份记录中的 {taken} 份收入历史：运行 {runs}。</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>Touching free memory</source>
        <translation>正在触碰空闲内存</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Try with a sample model</source>
        <translation>用示例模型试试</translation>
    </message>
    <message>
        <source>Two files have the same place.</source>
        <translation>两个文件的位置相同。</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Types by bytes</source>
        <translation>各类型所占字节</translation>
    </message>
    <message>
        <source>Types, sizes and all tensors, with room</source>
        <translation>在大窗口中查看类型、大小和全部张量</translation>
    </message>
    <message>
        <source>Undecided, they scatter</source>
        <translation>无法判定，结果分散</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo (Ctrl+Z) brings it back, until other runs are deleted or this window is closed.</source>
        <translation>在删除其他运行或关闭此窗口之前，可用“撤销”（Ctrl+Z）恢复。</translation>
    </message>
    <message>
        <source>Undo (Ctrl+Z) brings them back, until other runs are deleted or this window is closed.</source>
        <translation>在删除其他运行或关闭此窗口之前，可用“撤销”（Ctrl+Z）恢复。</translation>
    </message>
    <message>
        <source>Undo the deletion</source>
        <translation>撤销删除</translation>
    </message>
    <message>
        <source>Undo: bring the deleted run back</source>
        <translation>撤销：恢复被删除的运行</translation>
    </message>
    <message>
        <source>Undo: bring {count} deleted runs back</source>
        <translation>撤销：恢复被删除的 {count} 次运行</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Use as B</source>
        <translation>用作 B</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Version {number}</source>
        <translation>版本 {number}</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>版本 {version}</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Warm</source>
        <translation>热启动</translation>
    </message>
    <message>
        <source>Warm start</source>
        <translation>热启动</translation>
    </message>
    <message>
        <source>Warm start verified: {share} of the file was cached</source>
        <translation>已确认热启动：文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>Warming up</source>
        <translation>正在预热</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>发生了什么变化</translation>
    </message>
    <message>
        <source>What changed…</source>
        <translation>变化…</translation>
    </message>
    <message>
        <source>What happens in this window is written here.</source>
        <translation>此窗口中发生的事情会写在这里。</translation>
    </message>
    <message>
        <source>What has been measured stands</source>
        <translation>已测得的结果保留</translation>
    </message>
    <message>
        <source>What the kernel is told about the access pattern.</source>
        <translation>告知内核的访问模式。</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>What to expect</source>
        <translation>预期效果</translation>
    </message>
    <message>
        <source>What to write</source>
        <translation>要写入的内容</translation>
    </message>
    <message>
        <source>What was read of {file} cannot be understood: {why}.</source>
        <translation>无法理解从 {file} 读到的内容：{why}。</translation>
    </message>
    <message>
        <source>What was seen of the machine cannot be understood: {error}.</source>
        <translation>无法理解对本机的检查结果：{error}。</translation>
    </message>
    <message>
        <source>What was taken in before stays in the history.</source>
        <translation>此前已收入的内容仍保留在历史中。</translation>
    </message>
    <message>
        <source>What will probably hurt</source>
        <translation>可能拖慢加载的问题</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Whether each rank loads the whole model or its tensor-parallel slice.</source>
        <translation>每个秩加载整个模型，还是只加载自己的张量并行切片。</translation>
    </message>
    <message>
        <source>Whether it fits into {size}</source>
        <translation>{size} 内存是否放得下</translation>
    </message>
    <message>
        <source>Whether private memory asks for pages of 2 MiB.</source>
        <translation>私有内存是否请求 2 MiB 的页。</translation>
    </message>
    <message>
        <source>Whether the readers are threads of one process or processes.</source>
        <translation>读取器是同一进程的线程，还是独立的进程。</translation>
    </message>
    <message>
        <source>Which plots are shown</source>
        <translation>选择显示哪些图表</translation>
    </message>
    <message>
        <source>Whole load</source>
        <translation>整个加载</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>With the axes that differ from its own</source>
        <translation>及与其默认值不同的参数</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>时限</translation>
    </message>
    <message>
        <source>Write modelmon.toml</source>
        <translation>写出 modelmon.toml</translation>
    </message>
    <message>
        <source>Write the ranking; what is recommended cannot be stored</source>
        <translation>写出排名；所推荐的方式无法存储</translation>
    </message>
    <message>
        <source>Write {strategy} as modelmon.toml</source>
        <translation>将 {strategy} 写入 modelmon.toml</translation>
    </message>
    <message>
        <source>Writes a {size} model to the cache folder and compares mmap with what should suit this disk. The file is deleted when you close the window.</source>
        <translation>在缓存文件夹中写入一个 {size} 的模型，将 mmap 与应当适合此磁盘的方式进行对比。关闭窗口时会删除该文件。</translation>
    </message>
    <message>
        <source>Writing the sample model</source>
        <translation>正在写入示例模型</translation>
    </message>
    <message>
        <source>Writing the sample was stopped.</source>
        <translation>已停止写入示例模型。</translation>
    </message>
    <message>
        <source>Written before: {files}.</source>
        <translation>此前已写出：{files}。</translation>
    </message>
    <message>
        <source>Wrote 1 run to {file}.</source>
        <translation>已将 1 次运行写入 {file}。</translation>
    </message>
    <message>
        <source>Wrote {count} runs to {file}.</source>
        <translation>已将 {count} 次运行写入 {file}。</translation>
    </message>
    <message>
        <source>Wrote {size} to {file}.</source>
        <translation>已将 {size} 写入 {file}。</translation>
    </message>
    <message>
        <source>You see at once what it holds, what it lies on and whether it fits.</source>
        <translation>立即看到它的内容、所在的磁盘，以及内存是否放得下。</translation>
    </message>
    <message>
        <source>Your own choice of axes.</source>
        <translation>您自选的参数组合。</translation>
    </message>
    <message>
        <source>Your own preset.</source>
        <translation>您自己的预设。</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom in to see when each block was ready: these are too many for this order.</source>
        <translation>放大后可查看各块何时就绪：此排序下块数过多。</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>a fresh worker starts</source>
        <translation>正在启动新的工作进程</translation>
    </message>
    <message>
        <source>a model</source>
        <translation>某个模型</translation>
    </message>
    <message>
        <source>access</source>
        <translation>访问</translation>
    </message>
    <message>
        <source>advice</source>
        <translation>访问提示</translation>
    </message>
    <message>
        <source>ahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>all axes</source>
        <translation>全部参数</translation>
    </message>
    <message>
        <source>and so on, {count} readers</source>
        <translation>依此类推，共 {count} 个读取器</translation>
    </message>
    <message>
        <source>anon</source>
        <translation>匿名</translation>
    </message>
    <message>
        <source>as-is starts</source>
        <translation>缓存保持现状</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>block, in execution order</source>
        <translation>块，按执行顺序</translation>
    </message>
    <message>
        <source>block, slowest first</source>
        <translation>块，最慢在前</translation>
    </message>
    <message>
        <source>cached here</source>
        <translation>此处已缓存</translation>
    </message>
    <message>
        <source>cgroup limit {size}</source>
        <translation>cgroup 上限 {size}</translation>
    </message>
    <message>
        <source>cold starts</source>
        <translation>冷启动</translation>
    </message>
    <message>
        <source>comparing</source>
        <translation>正在对比</translation>
    </message>
    <message>
        <source>conditioning {time}</source>
        <translation>内存预处理 {time}</translation>
    </message>
    <message>
        <source>decided</source>
        <translation>已得出结论</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>decode {time} beside it</source>
        <translation>同时解码 {time}</translation>
    </message>
    <message>
        <source>deliver</source>
        <translation>交付</translation>
    </message>
    <message>
        <source>delivered</source>
        <translation>已交付</translation>
    </message>
    <message>
        <source>delivered now</source>
        <translation>当前交付</translation>
    </message>
    <message>
        <source>descriptor</source>
        <translation>描述符</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>done, not counted</source>
        <translation>已完成，未计入</translation>
    </message>
    <message>
        <source>each rank loads</source>
        <translation>每个秩加载</translation>
    </message>
    <message>
        <source>estimating</source>
        <translation>正在估算</translation>
    </message>
    <message>
        <source>fault {time}</source>
        <translation>缺页 {time}</translation>
    </message>
    <message>
        <source>few samples: {runs}</source>
        <translation>采样过少：{runs}</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>file goes by offset; model goes block by block; random is the worst case, seeded.</source>
        <translation>file 按偏移量；model 逐块进行；random 是最坏情况，使用固定种子。</translation>
    </message>
    <message>
        <source>finding the best</source>
        <translation>正在寻找最佳</translation>
    </message>
    <message>
        <source>hard disk</source>
        <translation>机械硬盘</translation>
    </message>
    <message>
        <source>holds {size}</source>
        <translation>存有 {size}</translation>
    </message>
    <message>
        <source>huge pages</source>
        <translation>大页</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>idle {value}</source>
        <translation>空闲 {value}</translation>
    </message>
    <message>
        <source>image {path}</source>
        <translation>镜像 {path}</translation>
    </message>
    <message>
        <source>importing</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>内存中</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>local disk</source>
        <translation>本地磁盘</translation>
    </message>
    <message>
        <source>major</source>
        <translation>主缺页</translation>
    </message>
    <message>
        <source>mapped</source>
        <translation>已映射</translation>
    </message>
    <message>
        <source>measuring the disk</source>
        <translation>正在磁盘测速</translation>
    </message>
    <message>
        <source>million/s</source>
        <translation>百万次/秒</translation>
    </message>
    <message>
        <source>minor</source>
        <translation>次缺页</translation>
    </message>
    <message>
        <source>mmap maps the file and touches every page; read goes through the page cache; direct goes past it; auto chooses by what is cached.</source>
        <translation>mmap 映射文件并访问每一页；read 经过页缓存；direct 绕过页缓存；auto 按已缓存的内容选择。</translation>
    </message>
    <message>
        <source>modelmon compares ways to load a model</source>
        <translation>modelmon 正在对比加载模型的方式</translation>
    </message>
    <message>
        <source>modelmon {name} ended with code {code}.</source>
        <translation>modelmon {name} 以代码 {code} 结束。</translation>
    </message>
    <message>
        <source>modelmon {name} ended with code {code}. Its last words: {words}</source>
        <translation>modelmon {name} 以代码 {code} 结束。最后的输出：{words}</translation>
    </message>
    <message>
        <source>modelmon.toml stores how to load this model on this machine.</source>
        <translation>modelmon.toml 保存在本机上如何加载此模型。</translation>
    </message>
    <message>
        <source>more: {axes}</source>
        <translation>更多：{axes}</translation>
    </message>
    <message>
        <source>network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>不可比</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>not known here</source>
        <translation>此处无法得知</translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>未告知</translation>
    </message>
    <message>
        <source>of the file</source>
        <translation>整个文件</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>offset, {unit}</source>
        <translation>偏移，{unit}</translation>
    </message>
    <message>
        <source>older ones with modelmon history</source>
        <translation>更早的运行见 modelmon history</translation>
    </message>
    <message>
        <source>on</source>
        <translation>已开启</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已打开</translation>
    </message>
    <message>
        <source>open {time}</source>
        <translation>打开 {time}</translation>
    </message>
    <message>
        <source>opening</source>
        <translation>正在打开模型</translation>
    </message>
    <message>
        <source>order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>others</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>own</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>own opens the file once per reader; shared hands one descriptor to all.</source>
        <translation>own 为每个读取器各打开一次文件；shared 让所有读取器共用一个描述符。</translation>
    </message>
    <message>
        <source>page cache {time}</source>
        <translation>页缓存 {time}</translation>
    </message>
    <message>
        <source>peak RSS</source>
        <translation>RSS 峰值</translation>
    </message>
    <message>
        <source>per s</source>
        <translation>次/秒</translation>
    </message>
    <message>
        <source>plan {time}</source>
        <translation>规划 {time}</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>并行秩</translation>
    </message>
    <message>
        <source>read ahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>read {time}</source>
        <translation>读取 {time}</translation>
    </message>
    <message>
        <source>reader</source>
        <translation>读取器</translation>
    </message>
    <message>
        <source>reader kind</source>
        <translation>读取器类型</translation>
    </message>
    <message>
        <source>readers</source>
        <translation>读取器</translation>
    </message>
    <message>
        <source>ready after, s</source>
        <translation>就绪用时，s</translation>
    </message>
    <message>
        <source>request size</source>
        <translation>请求大小</translation>
    </message>
    <message>
        <source>run {number}</source>
        <translation>运行 {number}</translation>
    </message>
    <message>
        <source>run {number} of this window, {strategy}</source>
        <translation>本窗口的运行 {number}，{strategy}</translation>
    </message>
    <message>
        <source>run {number}, {strategy}</source>
        <translation>运行 {number}，{strategy}</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>runs so far</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>runs that count</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>runs, all cold</source>
        <translation>全部冷启动</translation>
    </message>
    <message>
        <source>runs, all cold here</source>
        <translation>本机均为冷启动</translation>
    </message>
    <message>
        <source>runs, all mixed</source>
        <translation>全部部分缓存</translation>
    </message>
    <message>
        <source>runs, all unknown</source>
        <translation>缓存状态均未知</translation>
    </message>
    <message>
        <source>runs, all warm</source>
        <translation>全部热启动</translation>
    </message>
    <message>
        <source>safetensors, GGUF, a sharded set or a Hugging Face snapshot. Only headers are read.</source>
        <translation>safetensors、GGUF、分片模型或 Hugging Face 快照。只读取文件头。</translation>
    </message>
    <message>
        <source>saved comparison</source>
        <translation>已保存的对比</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>seconds since start</source>
        <translation>距开始的秒数</translation>
    </message>
    <message>
        <source>seconds since start, own scale</source>
        <translation>距开始的秒数，独立刻度</translation>
    </message>
    <message>
        <source>seconds since start; {note}</source>
        <translation>距开始的秒数；{note}</translation>
    </message>
    <message>
        <source>share of the bytes</source>
        <translation>占字节数的比例</translation>
    </message>
    <message>
        <source>share of the tensors</source>
        <translation>占张量数的比例</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>start-up {time}</source>
        <translation>启动 {time}</translation>
    </message>
    <message>
        <source>stopped before it was decided</source>
        <translation>得出结论前已停止</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>system</source>
        <translation>内核态</translation>
    </message>
    <message>
        <source>the budget was spent</source>
        <translation>时间预算已用完</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>the start is prepared, {share}</source>
        <translation>正在准备启动状态，{share}</translation>
    </message>
    <message>
        <source>thousand/s</source>
        <translation>千次/秒</translation>
    </message>
    <message>
        <source>to come</source>
        <translation>待进行</translation>
    </message>
    <message>
        <source>today, {clock}</source>
        <translation>今天 {clock}</translation>
    </message>
    <message>
        <source>took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>touched</source>
        <translation>已访问</translation>
    </message>
    <message>
        <source>touched, owned</source>
        <translation>已访问，私有内存</translation>
    </message>
    <message>
        <source>under way</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>unknown kind</source>
        <translation>类型未知</translation>
    </message>
    <message>
        <source>usable: each byte can be reached without further I/O. owned: it is in private memory. streamed: it passes through a small buffer. decoded: it becomes float32. The same for A and B. untouched: a library returned, whether or not anything was read.</source>
        <translation>usable：访问每个字节都不再需要 I/O。owned：数据在私有内存中。streamed：数据流经一个小缓冲区。decoded：数据解码为 float32。A 和 B 必须相同。untouched：库已返回，不论是否读取了内容。</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户态</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>已验证</translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>virtual disk</source>
        <translation>虚拟磁盘</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>warm starts</source>
        <translation>热启动</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>warm-up {time}</source>
        <translation>预热 {time}</translation>
    </message>
    <message>
        <source>writing the sample</source>
        <translation>正在写入示例模型</translation>
    </message>
    <message>
        <source>yesterday, {clock}</source>
        <translation>昨天 {clock}</translation>
    </message>
    <message>
        <source>{arms}: recorded in runs, not singly</source>
        <translation>{arms}：按连续段合并记录，而非逐个记录</translation>
    </message>
    <message>
        <source>{arm} at {seconds} s</source>
        <translation>{arm}，{seconds} s 时</translation>
    </message>
    <message>
        <source>{arm} done {time}</source>
        <translation>{arm} 完成 {time}</translation>
    </message>
    <message>
        <source>{arm} failed {time}</source>
        <translation>{arm} 失败 {time}</translation>
    </message>
    <message>
        <source>{arm} failed: {why}</source>
        <translation>{arm} 失败：{why}</translation>
    </message>
    <message>
        <source>{arm} is not what the comparison recommends. {sentence}</source>
        <translation>{arm} 不是对比所推荐的。{sentence}</translation>
    </message>
    <message>
        <source>{arm} is untouched, which cannot be compared: run it alone, or choose another delivery.</source>
        <translation>{arm} 的交付方式是 untouched，无法对比：请单独运行，或选择其他交付方式。</translation>
    </message>
    <message>
        <source>{arm} ready</source>
        <translation>{arm} 就绪</translation>
    </message>
    <message>
        <source>{arm} request</source>
        <translation>{arm} 请求</translation>
    </message>
    <message>
        <source>{arm} shows a recorded run of {model}.</source>
        <translation>{arm} 显示 {model} 的一次已记录运行。</translation>
    </message>
    <message>
        <source>{arm} shows a recorded run of {model}: {strategy}.</source>
        <translation>{arm} 显示 {model} 的一次已记录运行：{strategy}。</translation>
    </message>
    <message>
        <source>{arm} stopped {time}</source>
        <translation>{arm} 已停止 {time}</translation>
    </message>
    <message>
        <source>{arm} took {time}, {rate}.</source>
        <translation>{arm} 用时 {time}，{rate}。</translation>
    </message>
    <message>
        <source>{arm} uses other processes, whose memory cannot become another program&apos;s. The file stores the same reads with threads, as they were measured.</source>
        <translation>{arm} 使用其他进程，其内存无法交给另一个程序。文件中保存的是用线程进行的相同读取，与测量时一致。</translation>
    </message>
    <message>
        <source>{arm} was not measured.</source>
        <translation>{arm} 未测量。</translation>
    </message>
    <message>
        <source>{arm}, {time}</source>
        <translation>{arm}，{time}</translation>
    </message>
    <message>
        <source>{arm}: {warning}</source>
        <translation>{arm}：{warning}</translation>
    </message>
    <message>
        <source>{axis}, differs from the other arm</source>
        <translation>{axis}，与另一方不同</translation>
    </message>
    <message>
        <source>{best} for this model.</source>
        <translation>此模型{best}。</translation>
    </message>
    <message>
        <source>{cost}.</source>
        <translation>{cost}。</translation>
    </message>
    <message>
        <source>{count} CPUs</source>
        <translation>{count} 个 CPU</translation>
    </message>
    <message>
        <source>{count} billion</source>
        <translation>{count} B</translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation>{count} 字节</translation>
    </message>
    <message>
        <source>{count} bytes at {offset}</source>
        <translation>{count} 字节，偏移 {offset}</translation>
    </message>
    <message>
        <source>{count} bytes of tensors</source>
        <translation>张量共 {count} 字节</translation>
    </message>
    <message>
        <source>{count} in {blocks} blocks</source>
        <translation>{count} 个，分布于 {blocks} 个块</translation>
    </message>
    <message>
        <source>{count} million</source>
        <translation>{count} M</translation>
    </message>
    <message>
        <source>{count} models</source>
        <translation>{count} 个模型</translation>
    </message>
    <message>
        <source>{count} models, {size}</source>
        <translation>{count} 个模型，{size}</translation>
    </message>
    <message>
        <source>{count} more could not be taken in; see the log.</source>
        <translation>另有 {count} 份无法收入，详见日志。</translation>
    </message>
    <message>
        <source>{count} more, and details…</source>
        <translation>还有 {count} 项，及详情…</translation>
    </message>
    <message>
        <source>{count} of {all}</source>
        <translation>{count} / {all}</translation>
    </message>
    <message>
        <source>{count} processes</source>
        <translation>{count} 个进程</translation>
    </message>
    <message>
        <source>{count} readers {rate}</source>
        <translation>{count} 个读取器 {rate}</translation>
    </message>
    <message>
        <source>{count} rounds</source>
        <translation>{count} 轮</translation>
    </message>
    <message>
        <source>{count} runs</source>
        <translation>{count} 次运行</translation>
    </message>
    <message>
        <source>{count} runs deleted</source>
        <translation>已删除 {count} 次运行</translation>
    </message>
    <message>
        <source>{count} runs in turns, each in a fresh process.</source>
        <translation>{count} 次运行，交替进行，每次使用新进程。</translation>
    </message>
    <message>
        <source>{count} tensors</source>
        <translation>{count} 个张量</translation>
    </message>
    <message>
        <source>{count} tensors, {size}, {types}</source>
        <translation>{count} 个张量，{size}，{types}</translation>
    </message>
    <message>
        <source>{count} threads</source>
        <translation>{count} 个线程</translation>
    </message>
    <message>
        <source>{count} trillion</source>
        <translation>{count} T</translation>
    </message>
    <message>
        <source>{count} values by the tensors&apos; shapes</source>
        <translation>按张量形状共 {count} 个值</translation>
    </message>
    <message>
        <source>{count} ways to load take part, then variants of the fastest. One run takes about {time}: at most about {runs} runs in {budget}, fewer when it is decided earlier.</source>
        <translation>{count} 种加载方式参与，之后是最快者的变体。一次运行约需 {time}：{budget} 内最多约 {runs} 次运行，提前得出结论则更少。</translation>
    </message>
    <message>
        <source>{count}/s</source>
        <translation>{count} 次/秒</translation>
    </message>
    <message>
        <source>{day} {month}</source>
        <translation>{month} {day} 日</translation>
    </message>
    <message>
        <source>{day} {month} {year}</source>
        <translation>{year} 年 {month} {day} 日</translation>
    </message>
    <message>
        <source>{disk}, {kind}</source>
        <translation>{disk}，{kind}</translation>
    </message>
    <message>
        <source>{doing}: {part}</source>
        <translation>{doing}：{part}</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>{elsewhere}: {where}</source>
        <translation>{elsewhere}：{where}</translation>
    </message>
    <message>
        <source>{end}, {rate}</source>
        <translation>{end}，{rate}</translation>
    </message>
    <message>
        <source>{error}

Runs that are under way go on. The details are in {path}.</source>
        <translation>{error}

正在进行的运行会继续。详情见 {path}。</translation>
    </message>
    <message>
        <source>{expected} ({basis}: {source})</source>
        <translation>{expected}（{basis}：{source}）</translation>
    </message>
    <message>
        <source>{expected}. {confidence}: {reason}.</source>
        <translation>{expected}。{confidence}：{reason}。</translation>
    </message>
    <message>
        <source>{filesystem} on {place} from {source}</source>
        <translation>{filesystem}，挂载于 {place}，来自 {source}</translation>
    </message>
    <message>
        <source>{file} cannot be read: {why}.</source>
        <translation>无法读取 {file}：{why}。</translation>
    </message>
    <message>
        <source>{file} is deleted when the window closes</source>
        <translation>{file} 会在窗口关闭时删除</translation>
    </message>
    <message>
        <source>{file}, {first} to {last}</source>
        <translation>{file}，{first} 到 {last}</translation>
    </message>
    <message>
        <source>{file}: {what}</source>
        <translation>{file}：{what}</translation>
    </message>
    <message>
        <source>{folder} cannot be made: {why}.</source>
        <translation>无法创建 {folder}：{why}。</translation>
    </message>
    <message>
        <source>{format}, {size}, {blocks} blocks</source>
        <translation>{format}，{size}，{blocks} 个块</translation>
    </message>
    <message>
        <source>{headline}. {detail}</source>
        <translation>{headline}。{detail}</translation>
    </message>
    <message>
        <source>{known} runs</source>
        <translation>{known} 次运行</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 至 {high}</translation>
    </message>
    <message>
        <source>{low} to {high} s</source>
        <translation>{low} 到 {high} s</translation>
    </message>
    <message>
        <source>{low} to {high}: {count} tensors ({tensors}), {size} ({bytes})</source>
        <translation>{low} 至 {high}：{count} 个张量（{tensors}），{size}（{bytes}）</translation>
    </message>
    <message>
        <source>{median}, p99 {p99}</source>
        <translation>{median}，p99 {p99}</translation>
    </message>
    <message>
        <source>{model} does not fit into memory: {size} of tensors, {memory} free.</source>
        <translation>{model} 无法放入内存：张量共 {size}，可用 {memory}。</translation>
    </message>
    <message>
        <source>{model}, {strategy}, {start}: also another {changes}.</source>
        <translation>{model}、{strategy}、{start}：以下也有变化：{changes}。</translation>
    </message>
    <message>
        <source>{model}: model contents</source>
        <translation>{model}：模型内容</translation>
    </message>
    <message>
        <source>{mode} of {size}</source>
        <translation>{mode}，每页 {size}</translation>
    </message>
    <message>
        <source>{names} and {last}</source>
        <translation>{names} 和 {last}</translation>
    </message>
    <message>
        <source>{names} cannot be set against {base}: {why}.</source>
        <translation>{names} 不能与 {base} 对照：{why}。</translation>
    </message>
    <message>
        <source>{names} did not take turns with {base}: the ratio is that of medians, and whatever else changed in between is in it.</source>
        <translation>{names} 与 {base} 并非交替进行：比值取自中位数，其间的其他变化也包含在内。</translation>
    </message>
    <message>
        <source>{name} is a strategy of modelmon: choose another name.</source>
        <translation>{name} 是 modelmon 自带的策略，请换一个名称。</translation>
    </message>
    <message>
        <source>{name} took turns with {base}: the ratio is that of 1 pair.</source>
        <translation>{name} 与 {base} 交替进行：比值取自 1 个配对。</translation>
    </message>
    <message>
        <source>{name} took turns with {base}: the ratio is the median of {count} pairs.</source>
        <translation>{name} 与 {base} 交替进行：比值为 {count} 个配对的中位数。</translation>
    </message>
    <message>
        <source>{name}, density</source>
        <translation>{name}，密度</translation>
    </message>
    <message>
        <source>{name}, {day}, {state} start.</source>
        <translation>{name}，{day}，启动状态：{state}。</translation>
    </message>
    <message>
        <source>{name}: {figures}</source>
        <translation>{name}：{figures}</translation>
    </message>
    <message>
        <source>{name}: {problem}</source>
        <translation>{name}：{problem}</translation>
    </message>
    <message>
        <source>{number} more</source>
        <translation>还有 {number} 个</translation>
    </message>
    <message>
        <source>{number} of another machine or disk not shown</source>
        <translation>未显示其他机器或磁盘的 {number} 次</translation>
    </message>
    <message>
        <source>{number} of them are starred.</source>
        <translation>其中 {number} 次带有星标。</translation>
    </message>
    <message>
        <source>{number} of them have names: {names}.</source>
        <translation>其中 {number} 次有名称：{names}。</translation>
    </message>
    <message>
        <source>{number} runs were measured on another machine or disk. Untick “Only this machine and disk” to see them.</source>
        <translation>{number} 次运行是在其他机器或磁盘上测量的。取消勾选“仅本机器和磁盘”即可查看。</translation>
    </message>
    <message>
        <source>{number} with their recordings, which cannot be replayed then.</source>
        <translation>其中 {number} 次连同记录一并删除，之后无法回放。</translation>
    </message>
    <message>
        <source>{part} at {rate}</source>
        <translation>{part}，{rate}</translation>
    </message>
    <message>
        <source>{part} at {rate}, {time} left in this run</source>
        <translation>{part}，{rate}，本次运行剩余 {time}</translation>
    </message>
    <message>
        <source>{part} used</source>
        <translation>已用 {part}</translation>
    </message>
    <message>
        <source>{path} cannot be written: there is no such home folder.</source>
        <translation>无法写入 {path}：没有这个主目录。</translation>
    </message>
    <message>
        <source>{place}. Its times cannot be set against runs of this place.</source>
        <translation>{place}。其时间不能与此处的运行相比。</translation>
    </message>
    <message>
        <source>{points} points</source>
        <translation>{points} 个百分点</translation>
    </message>
    <message>
        <source>{position} of {end}</source>
        <translation>{position} / {end}</translation>
    </message>
    <message>
        <source>{problem} Runs are measured all the same.</source>
        <translation>{problem}运行仍会照常测量。</translation>
    </message>
    <message>
        <source>{program} could not be started: {reason}.</source>
        <translation>无法启动 {program}：{reason}。</translation>
    </message>
    <message>
        <source>{rate} a second</source>
        <translation>每秒 {rate} 次</translation>
    </message>
    <message>
        <source>{rate}, {kind}</source>
        <translation>{rate}，{kind}</translation>
    </message>
    <message>
        <source>{ratio} times</source>
        <translation>{ratio} 倍</translation>
    </message>
    <message>
        <source>{ratio} times ({coverage}: {low}-{high})</source>
        <translation>{ratio} 倍（{coverage}：{low}-{high}）</translation>
    </message>
    <message>
        <source>{requests} records of {each} requests, {restarts} restarts (inferred), {rate}/s</source>
        <translation>{requests} 条记录，每条 {each} 个请求，{restarts} 次重新定位（推断），{rate} 次/秒</translation>
    </message>
    <message>
        <source>{requests} requests under the band, {rate} restarts/s</source>
        <translation>色带内 {requests} 个请求，重新定位 {rate} 次/秒</translation>
    </message>
    <message>
        <source>{requests} requests, {restarts} restarts (inferred), {rate}/s</source>
        <translation>{requests} 个请求，{restarts} 次重新定位（推断），{rate} 次/秒</translation>
    </message>
    <message>
        <source>{runs} The expected time and the bytes to be read are shown first.</source>
        <translation>{runs}开始前会显示预计时间和读取量。</translation>
    </message>
    <message>
        <source>{runs} in {rounds}</source>
        <translation>{rounds}共 {runs}</translation>
    </message>
    <message>
        <source>{runs} take about {time} and read nothing from storage</source>
        <translation>{runs}，约需 {time}，不从存储读取</translation>
    </message>
    <message>
        <source>{runs} take about {time} and read {size} from storage</source>
        <translation>{runs}，约需 {time}，从存储读取 {size}</translation>
    </message>
    <message>
        <source>{runs}, {count} not counted</source>
        <translation>{runs}，{count} 次不计入</translation>
    </message>
    <message>
        <source>{runs}, {starts}, {spent} of {budget}: {ending}</source>
        <translation>{runs}，{starts}，{spent} / {budget}：{ending}</translation>
    </message>
    <message>
        <source>{run} has been loaded</source>
        <translation>{run} 已加载</translation>
    </message>
    <message>
        <source>{run} is being prepared</source>
        <translation>{run} 准备中</translation>
    </message>
    <message>
        <source>{run} is loading</source>
        <translation>{run} 加载中</translation>
    </message>
    <message>
        <source>{run} of {model}</source>
        <translation>{model} 的{run}</translation>
    </message>
    <message>
        <source>{run}; not counted: {why}</source>
        <translation>{run}；不计入：{why}</translation>
    </message>
    <message>
        <source>{sentence} That takes worker processes or a library: what is stored is {way}, the best of those that load within one process.</source>
        <translation>{sentence}这需要工作进程或库：实际保存的是 {way}，即单进程内加载方式中的最佳者。</translation>
    </message>
    <message>
        <source>{series} is not known here.</source>
        <translation>此处无法得知 {series}。</translation>
    </message>
    <message>
        <source>{series} is not known here: only Linux tells it.</source>
        <translation>此处无法得知 {series}：只有 Linux 提供。</translation>
    </message>
    <message>
        <source>{share} ({cached} of {pages} pages)</source>
        <translation>{share}（{pages} 页中的 {cached} 页）</translation>
    </message>
    <message>
        <source>{share} now</source>
        <translation>现在 {share}</translation>
    </message>
    <message>
        <source>{share} of the file was cached at the start</source>
        <translation>开始时文件的 {share} 已缓存</translation>
    </message>
    <message>
        <source>{share} of {whole}</source>
        <translation>占 {whole} 的 {share}</translation>
    </message>
    <message>
        <source>{share} slower</source>
        <translation>慢 {share}</translation>
    </message>
    <message>
        <source>{share} when opened</source>
        <translation>打开时 {share}</translation>
    </message>
    <message>
        <source>{share}, {cached} of {total}</source>
        <translation>{share}，{total} 中的 {cached}</translation>
    </message>
    <message>
        <source>{shown} of {known} runs</source>
        <translation>{known} 次运行中的 {shown} 次</translation>
    </message>
    <message>
        <source>{size} RAM</source>
        <translation>{size} 内存</translation>
    </message>
    <message>
        <source>{size} can be had now</source>
        <translation>目前可用 {size}</translation>
    </message>
    <message>
        <source>{size} can stand for the whole: quicker, and labelled as extrapolated.</source>
        <translation>{size} 可代表整个模型：更快，结果标为外推。</translation>
    </message>
    <message>
        <source>{size} free</source>
        <translation>空闲 {size}</translation>
    </message>
    <message>
        <source>{size} in 1 file</source>
        <translation>{size}，1 个文件</translation>
    </message>
    <message>
        <source>{size} in {count} shards</source>
        <translation>{size}，{count} 个分片</translation>
    </message>
    <message>
        <source>{size} · recording</source>
        <translation>{size} · 记录</translation>
    </message>
    <message>
        <source>{size} · {blocks} blocks</source>
        <translation>{size} · {blocks} 个块</translation>
    </message>
    <message>
        <source>{size}, fits</source>
        <translation>{size}，放得下</translation>
    </message>
    <message>
        <source>{size}, tight</source>
        <translation>{size}，紧张</translation>
    </message>
    <message>
        <source>{size}, too large</source>
        <translation>{size}，过大</translation>
    </message>
    <message>
        <source>{size}, {tensors} tensors in {blocks} blocks</source>
        <translation>{size}，{blocks} 个块中的 {tensors} 个张量</translation>
    </message>
    <message>
        <source>{size}; recordings of old runs are dropped above {limit}</source>
        <translation>{size}；超过 {limit} 时会丢弃旧运行的记录</translation>
    </message>
    <message>
        <source>{source}: {folder} cannot be read</source>
        <translation>{source}：{folder} 无法读取</translation>
    </message>
    <message>
        <source>{source}: {folder} does not answer</source>
        <translation>{source}：{folder} 没有响应</translation>
    </message>
    <message>
        <source>{source}: {folder} is not there</source>
        <translation>{source}：{folder} 不存在</translation>
    </message>
    <message>
        <source>{source}: {folder}, {models} found</source>
        <translation>{source}：{folder}，找到 {models} 个</translation>
    </message>
    <message>
        <source>{start}, {evidence}</source>
        <translation>{start}，{evidence}</translation>
    </message>
    <message>
        <source>{start}. One run shows no spread: Compare tells whether A and B differ.</source>
        <translation>{start}。单次运行看不出波动：用“对比”判断 A 与 B 是否有差异。</translation>
    </message>
    <message>
        <source>{storage} does not answer; the probe was given up while {doing}.</source>
        <translation>{storage} 没有响应；磁盘测速已放弃，当时{doing}。</translation>
    </message>
    <message>
        <source>{summary}.</source>
        <translation>{summary}。</translation>
    </message>
    <message>
        <source>{tensors} tensors found in 1 block</source>
        <translation>在 1 个块中找到 {tensors} 个张量</translation>
    </message>
    <message>
        <source>{tensors} tensors found in {blocks} blocks</source>
        <translation>在 {blocks} 个块中找到 {tensors} 个张量</translation>
    </message>
    <message>
        <source>{times} times as long</source>
        <translation>耗时为 {times} 倍</translation>
    </message>
    <message>
        <source>{times} times as long as {best}; the bounds hold with {sure} confidence, by {rounds} rounds</source>
        <translation>耗时是 {best} 的 {times} 倍；区间可信度 {sure}，依据 {rounds} 轮</translation>
    </message>
    <message>
        <source>{times} times as long as {best}; too few rounds for more than a rough range</source>
        <translation>耗时是 {best} 的 {times} 倍；轮数太少，只能给出大致范围</translation>
    </message>
    <message>
        <source>{time} of the budget left</source>
        <translation>预算剩余 {time}</translation>
    </message>
    <message>
        <source>{unit} (log)</source>
        <translation>{unit}（对数）</translation>
    </message>
    <message>
        <source>{unit} of load time</source>
        <translation>加载用时，{unit}</translation>
    </message>
    <message>
        <source>{upper} on {lower}</source>
        <translation>{upper} @ {lower}</translation>
    </message>
    <message>
        <source>{upper} over {lower}</source>
        <translation>{upper} 叠加于 {lower}</translation>
    </message>
    <message>
        <source>{where}: {block}, 1 tensor</source>
        <translation>{where}：{block}，1 个张量</translation>
    </message>
    <message>
        <source>{where}: {block}, {count} tensors</source>
        <translation>{where}：{block}，{count} 个张量</translation>
    </message>
    <message>
        <source>{why} The log tells of the others.</source>
        <translation>{why}其余见日志。</translation>
    </message>
</context>
</TS>
